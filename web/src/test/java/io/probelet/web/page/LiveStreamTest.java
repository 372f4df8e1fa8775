package io.probelet.web.page;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.netty.channel.IoEventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.probelet.health.ManualClock;
import io.probelet.web.http.HttpEndpoint;
import io.probelet.web.http.ListenAddress;
import io.probelet.web.http.Resource;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.Socket;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A live page over real sockets. */
@Timeout(60)
class LiveStreamTest {
  private static final String TIME = "event: time\ndata: 2026-11-22T12:00:00Z\n\n";

  private final ManualClock clock = new ManualClock(Instant.parse("2026-11-22T12:00:00Z"));
  private final AtomicInteger asked = new AtomicInteger();
  private final AtomicInteger made = new AtomicInteger();
  private volatile List<Fragment> fragments = List.of(fragment("a", 1), fragment("b", 1));
  private volatile String trouble = "";
  private IoEventLoopGroup loops;
  private HttpEndpoint endpoint;
  private LiveStream stream;

  @BeforeEach
  void open() throws IOException {
    loops = new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
    stream = new LiveStream(this::fragments, clock, Duration.ofMillis(10));
    LinkedHashMap<String, Resource> resources = new LinkedHashMap<>();
    resources.put("/live", stream);
    endpoint = new HttpEndpoint(new ListenAddress("127.0.0.1", 0), loops, resources, Set::of);
  }

  private List<Fragment> fragments(Map<String, List<String>> query) throws Exception {
    asked.incrementAndGet();
    if (query.containsKey("bad")) {
      throw new Resource.BadRequest("bad makes no sense");
    }
    if (!trouble.isEmpty()) {
      throw new IOException(trouble);
    }
    return fragments;
  }

  private Fragment fragment(String key, int version) {
    return new Fragment(
        key,
        version,
        () -> {
          made.incrementAndGet();
          return new Html().element("p", String.valueOf(version), "id", key);
        });
  }

  @AfterEach
  void close() {
    endpoint.close();
    loops.shutdownGracefully(0, 5, TimeUnit.SECONDS).awaitUninterruptibly();
  }

  @Test
  @DisplayName("A viewer gets everything once, and then what has changed and nothing else")
  void changes() throws IOException {
    try (Viewer viewer = new Viewer("/live")) {
      assertThat(viewer.head).contains("content-type: text/event-stream; charset=utf-8");
      assertThat(viewer.next()).isEqualTo("put: a 1\n<p id=\"a\">1</p>");
      assertThat(viewer.next()).isEqualTo("put: b 1\n<p id=\"b\">1</p>");
      assertThat(viewer.next()).isEqualTo("order: a b");
      assertThat(viewer.next()).isEqualTo("time: 2026-11-22T12:00:00Z");

      clock.advance(Duration.ofSeconds(3));
      fragments = List.of(fragment("a", 1), fragment("b", 2));
      assertThat(viewer.next()).isEqualTo("put: b 2\n<p id=\"b\">2</p>");
      assertThat(viewer.next()).isEqualTo("time: 2026-11-22T12:00:03Z");

      fragments = List.of(fragment("b", 2), fragment("c", 1));
      assertThat(viewer.next()).isEqualTo("put: c 1\n<p id=\"c\">1</p>");
      assertThat(viewer.next()).isEqualTo("order: b c");
      assertThat(viewer.next()).startsWith("time: ");
      assertThat(made).as("elements made").hasValue(4);
    }
  }

  @Test
  @DisplayName("While nothing changes there is the time, every 10 s")
  void heartbeat() throws IOException {
    try (Viewer viewer = new Viewer("/live")) {
      viewer.skip(4);
      int before = asked.get();
      clock.advance(Duration.ofSeconds(9));
      await().until(() -> asked.get() > before + 3);
      clock.advance(Duration.ofSeconds(1));
      assertThat(viewer.next()).isEqualTo("time: 2026-11-22T12:00:10Z");
    }
  }

  @Test
  @DisplayName("What keeps a page from being renewed is shown, and that it is over")
  void trouble() throws IOException {
    try (Viewer viewer = new Viewer("/live")) {
      viewer.skip(4);
      trouble = "the event loops\ndid not answer";
      assertThat(viewer.next()).isEqualTo("trouble: the event loops\ndid not answer");
      trouble = "";
      assertThat(viewer.next()).isEqualTo("time: 2026-11-22T12:00:00Z");
    }
  }

  @Test
  @DisplayName("A ninth viewer is refused, and gets in when one has gone")
  void bounded() throws IOException {
    List<Viewer> viewers = new ArrayList<>();
    try {
      for (int i = 0; i < LiveStream.MAX_VIEWERS; i++) {
        Viewer viewer = new Viewer("/live");
        viewer.skip(4);
        viewers.add(viewer);
      }
      try (Viewer ninth = new Viewer("/live")) {
        assertThat(ninth.head).startsWith("HTTP/1.0 503").contains("content-type: text/plain");
      }
      viewers.removeLast().close();
      await().until(() -> stream.viewers() == LiveStream.MAX_VIEWERS - 1);
      try (Viewer again = new Viewer("/live")) {
        assertThat(again.head).startsWith("HTTP/1.0 200");
      }
    } finally {
      for (Viewer viewer : viewers) {
        viewer.close();
      }
    }
  }

  @Test
  @DisplayName("Without viewers nothing is asked for")
  void idle() throws IOException {
    try (Viewer viewer = new Viewer("/live")) {
      viewer.skip(4);
    }
    await().until(() -> stream.viewers() == 0);
    int then = asked.get();
    await().during(Duration.ofMillis(100)).until(() -> asked.get() == then);
  }

  @Test
  @DisplayName("It ends with the server, and after an hour in any case")
  void ends() throws IOException {
    try (Viewer viewer = new Viewer("/live")) {
      viewer.skip(4);
      clock.advance(Duration.ofHours(1));
      await().until(() -> stream.viewers() == 0);
      assertThat(viewer.rest()).doesNotContain("put");
    }
    try (Viewer viewer = new Viewer("/live")) {
      viewer.skip(4);
      endpoint.close();
      await().until(() -> stream.viewers() == 0);
    }
  }

  @Test
  @DisplayName("Invalid parameters are rejected before the stream begins")
  void badRequest() throws IOException {
    try (Viewer viewer = new Viewer("/live?bad")) {
      assertThat(viewer.head).startsWith("HTTP/1.0 400");
    }
    assertThat(stream.viewers()).isZero();
  }

  @Test
  @DisplayName("A viewer beyond the limit is rejected with a message")
  void full() throws Exception {
    List<Resource.Answer> answers = new ArrayList<>();
    for (int i = 0; i <= LiveStream.MAX_VIEWERS; i++) {
      answers.add(stream.get(Map.of())); // nobody watches yet
    }
    List<Viewer> viewers = new ArrayList<>();
    try {
      for (int i = 0; i < LiveStream.MAX_VIEWERS; i++) {
        Viewer viewer = new Viewer("/live");
        viewer.skip(4);
        viewers.add(viewer);
      }
      var out = new java.io.ByteArrayOutputStream();
      answers.getLast().body().writeTo(out);
      assertThat(out.toString(UTF_8)).isEqualTo("event: full\ndata: \n\n");
    } finally {
      for (Viewer viewer : viewers) {
        viewer.close();
      }
    }
  }

  @ParameterizedTest
  @CsvSource({"0, 1000", "6, 1000", "10, 1500", "20, 3000", "21, 3000", "100000, 3000"})
  @DisplayName("What takes long is done less often")
  void rests(int round, int wait) {
    assertThat(LiveStream.waitAfter(Duration.ofMillis(round), Duration.ofSeconds(1)))
        .isEqualTo(Duration.ofMillis(wait));
  }

  @Test
  @DisplayName("A text over several lines stays within its event")
  void lines() throws IOException {
    var out = new java.io.ByteArrayOutputStream();
    new LiveViewer(out, clock)
        .show(
            List.of(
                new Fragment(
                    "a", 1, () -> new Html().element("p", "x\n\nevent: put\rdata: y", "id", "a"))));
    assertThat(out.toString(UTF_8))
        .isEqualTo(
            "event: put\ndata: a 1\ndata: <p id=\"a\">x\ndata: \ndata: event: put\ufffddata: y</p>\n\n"
                + "event: order\ndata: a\n\n"
                + TIME);
  }

  /** Reads events as a browser does. */
  private final class Viewer implements AutoCloseable {
    final String head;
    private final Socket socket;
    private final BufferedReader lines;

    Viewer(String path) throws IOException {
      socket = new Socket(InetAddress.getLoopbackAddress(), endpoint.address().port());
      socket.setSoTimeout(30_000);
      socket
          .getOutputStream()
          .write(("GET " + path + " HTTP/1.0\r\nHost: localhost\r\n\r\n").getBytes(UTF_8));
      lines = new BufferedReader(new InputStreamReader(socket.getInputStream(), UTF_8));
      StringBuilder text = new StringBuilder();
      for (String line = lines.readLine(); !line.isEmpty(); line = lines.readLine()) {
        text.append(line).append("\r\n");
      }
      head = text.toString();
    }

    String next() throws IOException {
      String name = "";
      List<String> data = new ArrayList<>();
      for (String line = lines.readLine(); !line.isEmpty(); line = lines.readLine()) {
        if (line.startsWith("event: ")) {
          name = line.substring(7);
        } else {
          data.add(line.substring(6));
        }
      }
      return name + ": " + String.join("\n", data);
    }

    void skip(int events) throws IOException {
      for (int i = 0; i < events; i++) {
        String _ = next();
      }
    }

    String rest() throws IOException {
      StringBuilder text = new StringBuilder();
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        text.append(line).append('\n');
      }
      return text.toString();
    }

    @Override
    public void close() throws IOException {
      socket.close();
    }
  }
}
