// A FIFO window that computes max and nothing else, by a monotone deque, in Java 17.  Run: java SlidingMax.java; with
// the argument "bug" insert also drops elements equal to the new one, which evict does not expect.
import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStreamWriter;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;

public class SlidingMax {
    private final ArrayDeque<Long> window = new ArrayDeque<>();
    private final ArrayDeque<Long> maxima = new ArrayDeque<>(); // falling: the first is the largest
    private final boolean bug;

    SlidingMax(boolean bug) {
        this.bug = bug;
    }

    void insert(long value) {
        window.addLast(value);
        while (!maxima.isEmpty() && (maxima.peekLast() < value || bug && maxima.peekLast() == value)) {
            maxima.removeLast();
        }
        maxima.addLast(value);
    }

    void evict() {
        long oldest = window.removeFirst();
        if (maxima.peekFirst() == oldest) {
            maxima.removeFirst();
        }
    }

    String query() {
        return maxima.isEmpty() ? "none" : maxima.peekFirst().toString();
    }

    public static void main(String[] arguments) throws IOException {
        boolean bug = arguments.length > 0 && arguments[0].equals("bug");
        var in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        var out = new PrintWriter(new BufferedWriter(new OutputStreamWriter(System.out, StandardCharsets.UTF_8)));
        SlidingMax window = new SlidingMax(bug);
        for (String line; (line = in.readLine()) != null; ) {
            String[] words = line.split(" ");
            switch (words[0]) {
                case "swagproof" -> out.print("swagproof 1 window=fifo monoids=max\n");
                case "reset" -> window = new SlidingMax(bug);
                case "insert" -> window.insert(Long.parseLong(words[1]));
                case "evict" -> window.evict();
                case "query" -> out.print(window.query() + "\n");
                case "flush" -> out.flush();
                default -> throw new IOException("unknown: " + line);
            }
        }
    }
}
