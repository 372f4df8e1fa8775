package io.probelet.probe.h2;

import static io.probelet.probe.TestTimeout.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.http2.DefaultHttp2DataFrame;
import io.netty.handler.codec.http2.DefaultHttp2GoAwayFrame;
import io.netty.handler.codec.http2.DefaultHttp2Headers;
import io.netty.handler.codec.http2.DefaultHttp2HeadersFrame;
import io.netty.handler.codec.http2.DefaultHttp2ResetFrame;
import io.netty.handler.codec.http2.DefaultHttp2WindowUpdateFrame;
import io.netty.handler.codec.http2.Http2DataFrame;
import io.netty.handler.codec.http2.Http2Error;
import io.netty.handler.codec.http2.Http2HeadersFrame;
import io.netty.handler.codec.http2.Http2ResetFrame;
import io.netty.handler.codec.http2.Http2Settings;
import io.netty.handler.codec.http2.Http2StreamChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Exchanges with a server that keeps to the protocol, and the ways it may end them. */
class H2ConnectionTest {

  private final BlockingQueue<Long> resets = new LinkedBlockingQueue<>();
  private final BlockingQueue<Http2StreamChannel> heldOpen = new LinkedBlockingQueue<>();
  private final H2Server server = new H2Server(Site::new);

  /** Answers by path: a number is a body of that many bytes, other words name what to do. */
  private final class Site extends ChannelInboundHandlerAdapter {
    private String path;
    private int uploaded;

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object frame) {
      switch (frame) {
        case Http2HeadersFrame request -> {
          path = request.headers().path().toString();
          if (request.isEndStream()) {
            answer(ctx);
          }
        }
        case Http2DataFrame data -> {
          int length = data.content().readableBytes();
          uploaded += length;
          data.release();
          ctx.write(new DefaultHttp2WindowUpdateFrame(length).stream(data.stream()));
          if (data.isEndStream()) {
            answer(ctx);
          }
        }
        case Http2ResetFrame reset -> resets.add(reset.errorCode());
        default -> {}
      }
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
      if (event instanceof Http2ResetFrame reset) {
        resets.add(reset.errorCode());
      }
    }

    private void answer(ChannelHandlerContext ctx) {
      DefaultHttp2Headers headers = new DefaultHttp2Headers();
      headers.status("200");
      switch (path.substring(1)) {
        case "upload" -> {
          ctx.write(new DefaultHttp2HeadersFrame(headers));
          ByteBuf count = Unpooled.copiedBuffer(Integer.toString(uploaded), UTF);
          ctx.writeAndFlush(new DefaultHttp2DataFrame(count, true));
        }
        case "empty" ->
            ctx.writeAndFlush(new DefaultHttp2HeadersFrame(headers.status("204"), true));
        case "interim" -> {
          ctx.write(new DefaultHttp2HeadersFrame(new DefaultHttp2Headers().status("103")));
          ctx.writeAndFlush(new DefaultHttp2HeadersFrame(headers, true));
        }
        case "trailers" -> {
          ctx.write(new DefaultHttp2HeadersFrame(headers));
          ctx.write(new DefaultHttp2DataFrame(Unpooled.copiedBuffer("body", UTF)));
          DefaultHttp2Headers trailers = new DefaultHttp2Headers();
          trailers.add("grpc-status", "0");
          ctx.writeAndFlush(new DefaultHttp2HeadersFrame(trailers, true));
        }
        case "reset" -> ctx.writeAndFlush(new DefaultHttp2ResetFrame(Http2Error.REFUSED_STREAM));
        case "hold" -> {
          heldOpen.add((Http2StreamChannel) ctx.channel()); // before the test can know of it
          ctx.writeAndFlush(new DefaultHttp2HeadersFrame(headers));
        }
        default -> {
          ctx.write(new DefaultHttp2HeadersFrame(headers));
          ByteBuf body = Unpooled.buffer().writeZero(Integer.parseInt(path.substring(1)));
          ctx.writeAndFlush(new DefaultHttp2DataFrame(body, true));
        }
      }
    }
  }

  private static final java.nio.charset.Charset UTF = java.nio.charset.StandardCharsets.UTF_8;

  @org.junit.jupiter.api.AfterEach
  void stop() {
    server.close();
  }

  @Test
  void thePrefaceGoesOutWithTheFirstRequest() {
    EmbeddedChannel channel = new EmbeddedChannel();
    try {
      H2Connection connection = H2Connection.open(channel, H2Options.PROBE);
      assertThat(channel.outboundMessages()).isEmpty();

      DefaultHttp2Headers headers = new DefaultHttp2Headers();
      headers.method("GET").scheme("http").authority("test").path("/");
      connection.request(headers, Unpooled.EMPTY_BUFFER, new RecordedResponse());
      assertThat(channel.outboundMessages()).hasSizeGreaterThan(1);
    } finally {
      channel.finishAndReleaseAll();
    }
  }

  @Test
  void aGetReturnsStatusAndBody() {
    try (H2Client client = new H2Client(server.address())) {
      RecordedResponse answer = client.get("/10240").ok();

      assertThat(answer.status()).isEqualTo("200");
      assertThat(answer.body.size()).isEqualTo(10_240);
      assertThat(answer.failure).isNull();
      assertThat(client.onLoop(() -> client.connection().settled())).isTrue();
    }
  }

  @Test
  void aResponseMayHaveHeadersOnly() {
    try (H2Client client = new H2Client(server.address())) {
      assertThat(client.get("/empty").ok().status()).isEqualTo("204");
    }
  }

  @Test
  void interimResponsesAreLeftOut() {
    try (H2Client client = new H2Client(server.address())) {
      assertThat(client.get("/interim").ok().status()).isEqualTo("200");
    }
  }

  @Test
  void aResponseMayEndWithTrailers() {
    try (H2Client client = new H2Client(server.address())) {
      RecordedResponse answer = client.get("/trailers").ok();

      assertThat(answer.body.toString(UTF)).isEqualTo("body");
      assertThat(answer.trailers.get("grpc-status")).hasToString("0");
    }
  }

  @Test
  void bodiesLargerThanAllWindowsArriveWhole() {
    try (H2Client client = new H2Client(server.address())) {
      List<RecordedResponse> answers = new ArrayList<>();
      for (int i = 0; i < 8; i++) {
        answers.add(client.get("/300000"));
      }
      answers.forEach(answer -> assertThat(answer.ok().body.size()).isEqualTo(300_000));
    }
  }

  @Test
  void largerWindowsAreAnnounced() {
    H2Options wide = new H2Options(1 << 20, 4 << 20, 64 * 1024);
    try (H2Client client = new H2Client(server.address(), wide)) {
      assertThat(client.get("/3000000").ok().body.size()).isEqualTo(3_000_000);
    }
  }

  @Test
  void aRequestBodyLargerThanTheServersWindowIsSentAsItOpens() {
    try (H2Client client = new H2Client(server.address())) {
      RecordedResponse answer = new RecordedResponse();
      client.send("POST", "/upload", Unpooled.buffer().writeZero(300_000), answer);

      assertThat(answer.ok().body.toString(UTF)).isEqualTo("300000");
    }
  }

  @Test
  void otherStreamsGoOnWhileOneIsHeldOpen() {
    try (H2Client client = new H2Client(server.address())) {
      RecordedResponse held = client.get("/hold");
      held.begun.join();

      for (int i = 0; i < 100; i++) {
        assertThat(client.get("/1").ok().body.size()).isEqualTo(1);
      }
      assertThat(held.done).isNotDone();

      heldOpen
          .element()
          .writeAndFlush(new DefaultHttp2DataFrame(Unpooled.copiedBuffer("late", UTF), true));
      assertThat(held.ok().body.toString(UTF)).isEqualTo("late");
    }
  }

  @Test
  void requestsBeyondTheServersLimitWaitForAStream() {
    Http2Settings oneAtATime = Http2Settings.defaultSettings().maxConcurrentStreams(1);
    try (H2Server narrow = new H2Server(Site::new, oneAtATime, null);
        H2Client client = new H2Client(narrow.address())) {
      client.get("/1").await();
      List<RecordedResponse> answers = new ArrayList<>();
      for (int i = 0; i < 20; i++) {
        answers.add(client.get("/100"));
      }
      answers.forEach(answer -> assertThat(answer.ok().body.size()).isEqualTo(100));
    }
  }

  @Test
  void aWaitingRequestCanBeGivenUp() {
    Http2Settings oneAtATime = Http2Settings.defaultSettings().maxConcurrentStreams(1);
    try (H2Server narrow = new H2Server(Site::new, oneAtATime, null);
        H2Client client = new H2Client(narrow.address())) {
      client.get("/1").await();
      client.get("/hold").begun.join();
      RecordedResponse waiting = new RecordedResponse();
      H2Stream stream = client.send("GET", "/1", Unpooled.EMPTY_BUFFER, waiting);
      client.onLoop(() -> {
        stream.cancel();
        return true;
      });

      heldOpen.element().writeAndFlush(new DefaultHttp2DataFrame(true));
      assertThat(client.get("/2").ok().body.size()).isEqualTo(2);
      assertThat(waiting.done).isNotDone();
    }
  }

  @Test
  void theServerMayResetAStream() {
    try (H2Client client = new H2Client(server.address())) {
      RecordedResponse answer = client.get("/reset").await();

      assertThat(answer.failure).isEqualTo(new H2Failure.Reset(Http2Error.REFUSED_STREAM.code()));
      assertThat(answer.failure.describe())
          .isEqualTo("stream reset by the server with REFUSED_STREAM");
      assertThat(client.get("/1").ok().failure).isNull();
    }
  }

  @Test
  void cancellingARequestResetsOnlyItsStream() throws Exception {
    try (H2Client client = new H2Client(server.address())) {
      RecordedResponse answer = new RecordedResponse();
      H2Stream stream = client.send("GET", "/hold", Unpooled.EMPTY_BUFFER, answer);
      answer.begun.join();
      client.onLoop(() -> {
        stream.cancel();
        stream.cancel();
        return true;
      });

      assertThat(resets.poll(1, TimeUnit.MINUTES)).isEqualTo(Http2Error.CANCEL.code());
      assertThat(client.get("/1").ok().failure).isNull();
      assertThat(answer.done).isNotDone();
      assertThat(resets).isEmpty();
    }
  }

  @Test
  void afterGoAwayOpenStreamsEndWellAndNewOnesAreRefused() throws Exception {
    try (H2Client client = new H2Client(server.address())) {
      RecordedResponse held = client.get("/hold");
      held.begun.join();
      goAway(server.connection());
      await().until(() -> !client.onLoop(() -> client.connection().isOpen()));

      RecordedResponse refused = client.get("/1").await();
      assertThat(refused.failure).isInstanceOf(H2Failure.GoneAway.class);
      assertThat(refused.failure.describe()).isEqualTo("server sent GOAWAY with NO_ERROR: enough");

      heldOpen.element().writeAndFlush(new DefaultHttp2DataFrame(true));
      assertThat(held.ok().failure).isNull();
      await().until(() -> !client.channel.isOpen());
    }
  }

  private static void goAway(Channel connection) {
    DefaultHttp2GoAwayFrame frame =
        new DefaultHttp2GoAwayFrame(Http2Error.NO_ERROR, Unpooled.copiedBuffer("enough", UTF));
    connection.writeAndFlush(frame);
  }

  @Test
  void reportsAClosedConnectionOnceToEveryOpenStream() throws Exception {
    try (H2Client client = new H2Client(server.address())) {
      RecordedResponse one = client.get("/hold");
      RecordedResponse two = client.get("/hold");
      one.begun.join();
      two.begun.join();
      client.get("/1").ok(); // after which the server has read all; else it would reset
      server.connection().close().sync();

      assertThat(one.await().failure).isNotNull();
      assertThat(two.await().failure.describe()).contains("server");
      assertThat(one.lastCalls).hasValue(1);
      assertThat(client.get("/1").await().failure).isNotNull();
    }
  }

  @Test
  void closingIsSilent() {
    try (H2Client client = new H2Client(server.address())) {
      RecordedResponse held = client.get("/hold");
      held.begun.join();
      client.onLoop(() -> {
        client.connection().close();
        return true;
      });
      client.channel.closeFuture().syncUninterruptibly();

      assertThat(held.done).isNotDone();
      assertThat(client.get("/1").await().failure).isInstanceOf(H2Failure.Closed.class);
    }
  }
}
