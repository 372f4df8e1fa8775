package io.probelet.probe.http;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.DecoderException;
import io.netty.util.IllegalReferenceCountException;
import io.probelet.fuzz.Bounded;
import io.probelet.health.SystemClock;
import io.probelet.probe.HttpExpectation;
import io.probelet.probe.ProbeHandler.Method;
import io.probelet.probe.ProbeHandler.Scheme;
import io.probelet.probe.Verdict;
import io.probelet.probe.net.Attempt;
import io.probelet.probe.net.Endpoint;
import io.probelet.probe.net.NetFailure;
import io.probelet.probe.net.NetLoop;
import io.probelet.probe.net.ProbeLoops;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;

/** Frames of an HTTP/2 server, whatever they say. */
class Http2FuzzTest {
  private static final NetLoop LOOP = ProbeLoops.start(1, SystemClock.INSTANCE).all().getFirst();
  private static final ProbeUrl URL =
      ProbeUrl.of(Scheme.HTTPS, new Endpoint("127.0.0.1", 443), "/");

  @FuzzTest
  void frames(byte[] data) throws Exception {
    int middle = data.length == 0 ? 0 : Byte.toUnsignedInt(data[0]) % data.length;
    Bounded.run(() -> {
      AtomicInteger ends = new AtomicInteger();
      EmbeddedChannel channel = new EmbeddedChannel();
      Attempt attempt =
          Attempt.begin(LOOP, Duration.ofHours(1), _ -> new Verdict.Failure("late"), _ -> {});
      HttpResponse.Listener listener =
          new HttpResponse.Listener() {
            @Override
            public boolean head(HttpResponse answer) {
              Bounded.check(answer.status() >= 0 && answer.status() <= 999, "a wrong status");
              return true;
            }

            @Override
            public void complete(HttpResponse answer) {
              ends.incrementAndGet();
              Bounded.check(
                  answer.body().text().length() <= Verdict.OUTPUT_LIMIT, "more body than is kept");
            }

            @Override
            public void failed(NetFailure failure) {
              ends.incrementAndGet();
              Bounded.check(!failure.message().isEmpty(), "a failure without a reason");
              Bounded.check(!failure.message().contains("Exception"), failure.message());
            }
          };
      try {
        new Http2Exchange(attempt, Method.GET, URL, HttpExpectation.KUBELET, listener)
            .start(channel, RequestHead.NONE);
        write(channel, Unpooled.wrappedBuffer(data, 0, middle));
        write(channel, Unpooled.wrappedBuffer(data, middle, data.length - middle));
        boolean _ = channel.finishAndReleaseAll(); // throws what no handler caught
        Bounded.check(ends.get() == 1, ends.get() + " ends of one exchange");
      } finally {
        attempt.end(new Verdict.Success(""));
      }
    });
  }

  /** This channel, unlike a real one, lets go of what is being read when it is closed meanwhile. */
  private static void write(EmbeddedChannel channel, ByteBuf data) {
    if (!channel.isOpen()) {
      data.release();
      return;
    }
    try {
      channel.writeInbound(data);
    } catch (DecoderException failed) {
      if (channel.isOpen() || !(failed.getCause() instanceof IllegalReferenceCountException)) {
        throw failed;
      }
    }
  }
}
