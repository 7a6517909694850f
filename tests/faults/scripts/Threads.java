// Threads, garbage, null pointers and a child in Java.
import java.util.ArrayList;
import java.util.List;

public class Threads {
  static long work(int rounds) {
    long sum = 0;
    for (int i = 0; i < rounds; i++) sum = (sum + (long) i * i) % 1000003;
    return sum;
  }

  static int recurse(int depth) { return recurse(depth + 1) + 1; }

  public static void main(String[] arguments) throws Exception {
    List<Thread> threads = new ArrayList<>();
    long[] sums = new long[4];
    for (int t = 0; t < 4; t++) {
      final int number = t;
      Thread thread = new Thread(() -> {
        for (int i = 0; i < 20; i++) {
          sums[number] += work(300000);
          List<byte[]> garbage = new ArrayList<>();
          for (int j = 0; j < 200; j++) garbage.add(new byte[1000]);
        }
      });
      threads.add(thread);
      thread.start();
    }
    for (Thread thread : threads) thread.join();
    int nulls = 0;
    for (int i = 0; i < 1000; i++) {
      String nothing = i < 0 ? "" : null;
      try {
        nothing.length();
      } catch (NullPointerException error) {
        nulls++;
      }
    }
    boolean deep = false;
    try {
      recurse(0);
    } catch (StackOverflowError error) {
      deep = true;
    }
    int child = new ProcessBuilder("sh", "-c", "exit 9").start().waitFor();
    System.out.println(sums[0] + " " + sums[3] + " nulls " + nulls + " deep " + deep + " child " + child);
    System.exit(6);
  }
}
