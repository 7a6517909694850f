int GOMP_from_the_future(int value) { return 20 + 2 * value; }
