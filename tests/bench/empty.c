// The least that a process can cost: started, ended. Linked statically, as the program is.
int main(void) { return 0; }
