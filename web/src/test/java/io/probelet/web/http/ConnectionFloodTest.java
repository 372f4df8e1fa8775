package io.probelet.web.http;

import static io.probelet.web.http.HttpLimits.OF_STATUS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.netty.channel.IoEventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.epoll.EpollIoHandler;
import io.probelet.web.http.ConnectionFlood.Kind;
import io.probelet.web.http.HttpLimits.Timeouts;
import io.probelet.web.http.Resource.Answer;
import java.io.IOException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A flood of connections keeps nobody from asking for health, even from the same address. */
@Timeout(120)
class ConnectionFloodTest {
  private static final byte[] MUCH = new byte[8 * AnswerStream.CHUNK_BYTES];

  /** So long that no connection of a test ends because its time is over. */
  private static final Duration NEVER = Duration.ofHours(1);

  private IoEventLoopGroup loops;
  private HttpEndpoint endpoint;

  @BeforeEach
  void open() throws IOException {
    loops = new MultiThreadIoEventLoopGroup(1, EpollIoHandler.newFactory());
    LinkedHashMap<String, Resource> resources = new LinkedHashMap<>();
    resources.put("/livez", new HealthResource(new LinkedHashMap<>()));
    resources.put("/readyz", new HealthResource(new LinkedHashMap<>()));
    resources.put("/metrics", _ -> Answer.of(200, Resource.TEXT, "up 1\n"));
    resources.put(
        "/endless",
        _ ->
            new Answer(
                200,
                Resource.TEXT,
                out -> {
                  while (true) {
                    out.write(MUCH);
                  }
                }));
    endpoint =
        new HttpEndpoint(
            new ListenAddress("127.0.0.1", 0),
            loops,
            resources,
            Set::of,
            OF_STATUS.with(new Timeouts(NEVER, NEVER, NEVER, NEVER)));
  }

  @AfterEach
  void close() {
    endpoint.close();
    loops.shutdownGracefully(0, 5, TimeUnit.SECONDS).awaitUninterruptibly();
  }

  @ParameterizedTest
  @EnumSource
  void healthIsAnsweredDuring160Connections(Kind kind) throws IOException {
    try (ConnectionFlood flood = new ConnectionFlood(endpoint.address().port(), kind)) {
      flood.open(160);
      flood.assertHealthIsAnswered();
    }
  }

  @ParameterizedTest
  @EnumSource
  void healthIsAnsweredDuring1000Connections(Kind kind) throws IOException {
    try (ConnectionFlood flood = new ConnectionFlood(endpoint.address().port(), kind)) {
      flood.open(1000);
      flood.assertHealthIsAnswered();
    }
  }

  @ParameterizedTest
  @EnumSource
  void otherRequestsAreAnsweredToo(Kind kind) throws IOException {
    int port = endpoint.address().port();
    try (ConnectionFlood flood = new ConnectionFlood(port, kind)) {
      flood.open(160);
      await() // while the last answers of the flood are still being made it is 503
          .atMost(Duration.ofMinutes(1))
          .untilAsserted(() ->
              assertThat(
                      ConnectionFlood.talk(
                          port, "GET /metrics HTTP/1.1\r\nHost: localhost\r\n\r\n"))
                  .startsWith("HTTP/1.1 200 OK\r\n")
                  .endsWith("up 1\n"));
    }
  }

  @Test
  void allKindsAtOnce() throws IOException {
    int port = endpoint.address().port();
    try (ConnectionFlood readers = new ConnectionFlood(port, Kind.NEVER_READS);
        ConnectionFlood bodies = new ConnectionFlood(port, Kind.OPEN_BODY);
        ConnectionFlood heads = new ConnectionFlood(port, Kind.OPEN_HEAD)) {
      readers.open(160);
      bodies.open(160);
      heads.open(160);
      readers.assertHealthIsAnswered();
      bodies.assertHealthIsAnswered();
      heads.assertHealthIsAnswered();
    }
  }
}
