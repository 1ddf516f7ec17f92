import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.flink.api.common.eventtime.Watermark;
import org.apache.flink.api.common.eventtime.WatermarkGenerator;
import org.apache.flink.api.common.eventtime.WatermarkOutput;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.functions.windowing.ProcessWindowFunction;
import org.apache.flink.streaming.api.windowing.assigners.EventTimeSessionWindows;
import org.apache.flink.streaming.api.windowing.assigners.SlidingEventTimeWindows;
import org.apache.flink.streaming.api.windowing.assigners.TumblingEventTimeWindows;
import org.apache.flink.streaming.api.windowing.assigners.WindowAssigner;
import org.apache.flink.streaming.api.windowing.windows.TimeWindow;
import org.apache.flink.table.api.Schema;
import org.apache.flink.table.api.bridge.java.StreamTableEnvironment;
import org.apache.flink.types.Row;
import org.apache.flink.util.CloseableIterator;
import org.apache.flink.util.Collector;

/** What Flink makes of the lines of a file: key, time in milliseconds, value, in the order of arrival. */
public class Windows {
    static final TypeInformation<Row> EVENT = Types.ROW_NAMED(
        new String[] {"k", "t", "v"}, Types.STRING, Types.LONG, Types.INT);

    /** BoundedOutOfOrdernessWatermarks, emitted after every so many events in place of every so many milliseconds. */
    static class Counted implements WatermarkGenerator<Row> {
        private final int period;
        private final long delay;
        private long latest = Long.MIN_VALUE, seen = 0;

        Counted(int period, long delay) {
            this.period = period;
            this.delay = delay;
        }

        @Override
        public void onEvent(Row event, long time, WatermarkOutput out) {
            latest = Math.max(latest, time);
            if (++seen % period == 0) out.emitWatermark(new Watermark(latest - delay - 1));
        }

        @Override
        public void onPeriodicEmit(WatermarkOutput out) {}
    }

    static class Sum extends ProcessWindowFunction<Row, String, String, TimeWindow> {
        @Override
        public void process(String key, Context context, Iterable<Row> events, Collector<String> out) {
            long sum = 0;
            for (Row event : events) sum += (Integer) event.getField(2);
            out.collect(key + ", " + context.window().getStart() + ", " + context.window().getEnd() + ", " + sum);
        }
    }

    static void print(String name, CloseableIterator<?> results) throws Exception {
        try (results) {
            while (results.hasNext()) System.out.println("RESULT " + name + ": " + results.next());
        }
    }

    static DataStream<Row> read(StreamExecutionEnvironment flink, List<Row> events) {
        flink.setParallelism(1);
        return flink.fromData(events, EVENT);
    }

    static void stream(List<Row> events) throws Exception {
        Map<String, WindowAssigner<Object, TimeWindow>> assigners = Map.of(
            "tumbling 10s", TumblingEventTimeWindows.of(Duration.ofSeconds(10)),
            "sliding 20s every 10s", SlidingEventTimeWindows.of(Duration.ofSeconds(20), Duration.ofSeconds(10)),
            "session 5s", EventTimeSessionWindows.withGap(Duration.ofSeconds(5)));
        for (Map.Entry<String, WindowAssigner<Object, TimeWindow>> windows : assigners.entrySet())
            for (int period : new int[] {1, 7})
                for (int lateness : new int[] {0, 15}) {
                    boolean session = windows.getKey().startsWith("session");
                    if (session && (period > 1 || lateness > 0)) continue;
                    StreamExecutionEnvironment flink = StreamExecutionEnvironment.getExecutionEnvironment();
                    print("stream, " + windows.getKey() + ", " + period + ", " + lateness, read(flink, events)
                        .assignTimestampsAndWatermarks(WatermarkStrategy
                            .<Row>forGenerator(context -> new Counted(period, 10_000))
                            .withTimestampAssigner((event, unused) -> (Long) event.getField(1)))
                        .keyBy(event -> (String) event.getField(0))
                        .window(windows.getValue())
                        .allowedLateness(Duration.ofSeconds(lateness))
                        .process(new Sum())
                        .executeAndCollect());
                }
    }

    static void query(List<Row> events) throws Exception {
        String of = "TABLE events, DESCRIPTOR(rowtime), INTERVAL '10' SECOND";
        String grouped = " GROUP BY k, window_start, window_end";
        Map<String, String> queries = new LinkedHashMap<>();
        for (String what : List.of("SUM", "AVG", "STDDEV_SAMP"))
            queries.put("tumbling 10s, " + what,
                "SELECT k, window_start, window_end, " + what + "(v) FROM TABLE(TUMBLE(" + of + "))" + grouped);
        queries.put("sliding 20s every 10s, SUM",
            "SELECT k, window_start, window_end, SUM(v) FROM TABLE(HOP(" + of + ", INTERVAL '20' SECOND))" + grouped);
        queries.put("session 5s, SUM",
            "SELECT k, window_start, window_end, SUM(v) FROM TABLE(SESSION(TABLE events PARTITION BY k, "
            + "DESCRIPTOR(rowtime), INTERVAL '5' SECOND))" + grouped);
        String[][] older = {
            {"tumbling 10s", "TUMBLE", "INTERVAL '10' SECOND"},
            {"sliding 20s every 10s", "HOP", "INTERVAL '10' SECOND, INTERVAL '20' SECOND"},
            {"session 5s", "SESSION", "INTERVAL '5' SECOND"}};
        for (String[] one : older) {
            String over = "(rowtime, " + one[2] + ")";
            queries.put(one[0] + ", SUM of GROUP BY " + one[1], "SELECT k, " + one[1] + "_START" + over + ", "
                + one[1] + "_END" + over + ", SUM(v) FROM events GROUP BY k, " + one[1] + over);
        }
        for (Map.Entry<String, String> query : queries.entrySet()) {
            StreamExecutionEnvironment flink = StreamExecutionEnvironment.getExecutionEnvironment();
            StreamTableEnvironment sql = StreamTableEnvironment.create(flink);
            sql.getConfig().set("table.local-time-zone", "UTC");
            sql.createTemporaryView("events", sql.fromDataStream(read(flink, events), Schema.newBuilder()
                .column("k", "STRING").column("t", "BIGINT").column("v", "INT")
                .columnByExpression("rowtime", "TO_TIMESTAMP_LTZ(t, 3)")
                .watermark("rowtime", "rowtime - INTERVAL '10' SECOND").build()));
            print("sql, " + query.getKey(), sql.executeSql(query.getValue()).collect());
        }
    }

    public static void main(String[] files) throws Exception {
        List<Row> events = new ArrayList<>();
        for (String line : Files.readAllLines(Path.of(files[0]))) {
            String[] cells = line.split(",");
            events.add(Row.of(cells[0], Long.parseLong(cells[1]), Integer.parseInt(cells[2])));
        }
        stream(events);
        query(events);
    }
}
