package io.probelet.probe.grpc;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import io.probelet.fuzz.Bounded;
import io.probelet.probe.h2.H2Connection;
import io.probelet.probe.h2.H2Options;
import java.util.HexFormat;
import java.util.OptionalInt;
import java.util.concurrent.atomic.AtomicInteger;

/** Messages of a gRPC server behind a good head. */
class GrpcFuzzTest {
  /** SETTINGS, and HEADERS with status 200 and content-type application/grpc. */
  private static final byte[] HEAD =
      HexFormat.of()
          .parseHex(
              "000000040000000000"
                  + "000014010400000001"
                  + "88"
                  + "0f1010"
                  + HexFormat.of()
                      .formatHex(
                          "application/grpc".getBytes(java.nio.charset.StandardCharsets.US_ASCII)));

  private static final int MAX_MESSAGE = 4096;
  private static final GrpcRequest REQUEST =
      new GrpcRequest(false, "127.0.0.1", "grpc.health.v1.Health/Check", "", null);

  @FuzzTest
  void messages(byte[] data) throws Exception {
    Bounded.run(() -> {
      AtomicInteger ends = new AtomicInteger();
      AtomicInteger longest = new AtomicInteger();
      ByteBuf message = Unpooled.buffer();
      EmbeddedChannel channel = new EmbeddedChannel();
      GrpcCall.start(
          H2Connection.open(channel, H2Options.PROBE),
          REQUEST,
          HealthMessages.request("a"),
          MAX_MESSAGE,
          new GrpcListener() {
            @Override
            public void part(ByteBuf part, boolean last) {
              message.writeBytes(part);
              if (last) {
                longest.accumulateAndGet(message.readableBytes(), Math::max);
                status(message).ifPresent(HealthMessages::name);
                message.clear();
              }
            }

            @Override
            public void ended(GrpcStatus status) {
              ends.incrementAndGet();
            }
          });
      ByteBuf frame =
          Unpooled.buffer(9 + data.length)
              .writeMedium(data.length)
              .writeByte(0)
              .writeByte(0)
              .writeInt(1)
              .writeBytes(data);
      channel.writeInbound(Unpooled.wrappedBuffer(HEAD), frame);
      boolean _ = channel.finishAndReleaseAll();
      Bounded.check(ends.get() == 1, ends.get() + " ends of one call");
      Bounded.check(longest.get() <= MAX_MESSAGE, "a message of " + longest.get() + " bytes");
      OptionalInt whole = status(Unpooled.wrappedBuffer(data));
      whole.ifPresent(HealthMessages::name);
      HealthResponse byByte = new HealthResponse();
      for (byte each : data) {
        byByte.add(Unpooled.wrappedBuffer(new byte[] {each}));
      }
      Bounded.check(byByte.status().equals(whole), "another status by pieces");
    });
  }

  private static OptionalInt status(ByteBuf message) {
    HealthResponse response = new HealthResponse();
    response.add(message);
    return response.status();
  }
}
