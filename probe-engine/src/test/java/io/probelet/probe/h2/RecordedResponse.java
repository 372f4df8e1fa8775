package io.probelet.probe.h2;

import io.netty.buffer.ByteBuf;
import io.netty.handler.codec.http2.Http2Headers;
import java.io.ByteArrayOutputStream;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;

/** Collects one answer; its future completes with the last call. */
final class RecordedResponse implements H2Listener {
  final CompletableFuture<RecordedResponse> done = new CompletableFuture<>();
  final CompletableFuture<RecordedResponse> begun = new CompletableFuture<>();
  final ByteArrayOutputStream body = new ByteArrayOutputStream();
  final AtomicInteger lastCalls = new AtomicInteger();
  volatile Http2Headers headers;
  volatile Http2Headers trailers;
  volatile H2Failure failure;

  @Override
  public void headers(Http2Headers received, boolean end) {
    headers = received;
    begun.complete(this);
    finish(end);
  }

  @Override
  public void data(ByteBuf data, boolean end) {
    byte[] bytes = new byte[data.readableBytes()];
    data.getBytes(data.readerIndex(), bytes);
    body.writeBytes(bytes);
    finish(end);
  }

  @Override
  public void trailers(Http2Headers received) {
    trailers = received;
    finish(true);
  }

  @Override
  public void failed(H2Failure why) {
    failure = why;
    begun.complete(this);
    finish(true);
  }

  private void finish(boolean end) {
    if (end) {
      lastCalls.incrementAndGet();
      done.complete(this);
    }
  }

  RecordedResponse await() {
    return done.orTimeout(1, java.util.concurrent.TimeUnit.MINUTES).join();
  }

  /** Waits for an answer that must be whole. */
  RecordedResponse ok() {
    await();
    if (failure != null) {
      throw new AssertionError(failure.describe());
    }
    return this;
  }

  String status() {
    return headers.status().toString();
  }
}
