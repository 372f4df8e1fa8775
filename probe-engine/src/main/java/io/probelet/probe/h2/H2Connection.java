package io.probelet.probe.h2;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.handler.codec.http2.Http2Error;
import io.netty.handler.codec.http2.Http2Headers;
import io.netty.handler.codec.http2.Http2Settings;
import io.netty.util.AsciiString;
import io.netty.util.collection.IntObjectHashMap;
import io.netty.util.collection.IntObjectMap;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import org.jspecify.annotations.Nullable;

/**
 * The client's end of one HTTP/2 connection: opens streams, hands out what comes back, and keeps to
 * the peer's limits.
 *
 * <p>All methods are called on the channel's event loop, and so are all listeners. The connection
 * closes its channel when the peer breaks the protocol, and when the last stream ends after the
 * peer went away; otherwise its owner closes it.
 */
@SuppressWarnings("FutureReturnValueIgnored") // closing a channel is told by channelInactive
public final class H2Connection {
  private final Channel channel;
  private final H2Options options;
  private final FrameHandler frames;
  private final IntObjectMap<H2Stream> streams = new IntObjectHashMap<>(4);
  private final Queue<H2Stream> waiting = new ArrayDeque<>(1);

  private int nextStreamId = 1;
  private long maxStreams = Long.MAX_VALUE;
  private long sendWindow = H2Options.DEFAULT_WINDOW;
  private long initialSendWindow = H2Options.DEFAULT_WINDOW;
  private int received;
  private boolean settled;

  /** Set once no new request can be sent. */
  private @Nullable H2Failure end;

  private H2Connection(Channel channel, H2Options options) {
    this.channel = channel;
    this.options = options;
    this.frames = new FrameHandler(this, options);
  }

  /**
   * Begins HTTP/2 on a channel. The preface is written but goes out with the first request, so that
   * both fit into one packet.
   *
   * <p>To miss nothing the peer says first, call this before the channel has read anything: in
   * {@code channelActive}, or from a listener that was added to the connect future (with TLS, the
   * handshake future) on the event loop, before that could complete.
   *
   * @param channel connected; with TLS, after a handshake that agreed on {@code h2}
   * @param options limits
   * @return the connection, ready for requests
   */
  public static H2Connection open(Channel channel, H2Options options) {
    H2Connection connection = new H2Connection(channel, options);
    channel.pipeline().addLast(connection.frames);
    return connection;
  }

  /**
   * Sends a request, at once or as soon as the peer allows one more stream.
   *
   * @param headers pseudo headers first, all names in lower case
   * @param body all of it; empty for none; this method takes ownership
   * @param listener takes the answer; it may be told of a failure before this method returns
   * @return a handle to give the request up
   */
  public H2Stream request(Http2Headers headers, ByteBuf body, H2Listener listener) {
    H2Stream stream = new H2Stream(this, headers, bodyOrNull(body), listener);
    if (end != null) {
      stream.releaseBody();
      listener.failed(end);
    } else if (mustWait()) {
      waiting.add(stream);
      channel.flush(); // the preface, which the peer may wait for
    } else {
      start(stream);
      channel.flush();
    }
    return stream;
  }

  private boolean mustWait() {
    return streams.size() >= maxStreams || (options.afterSettings() && !settled);
  }

  /** {@return whether another request may be sent} */
  public boolean isOpen() {
    return end == null;
  }

  /** {@return whether the peer has shown, by its SETTINGS, that it speaks HTTP/2} */
  public boolean settled() {
    return settled;
  }

  /** Closes the channel; listeners hear nothing more. */
  public void close() {
    if (end == null) {
      end = new H2Failure.Closed(null);
    }
    takeAll();
    channel.close();
  }

  private static @Nullable ByteBuf bodyOrNull(ByteBuf body) {
    if (body.isReadable()) {
      return body;
    }
    body.release();
    return null;
  }

  private void start(H2Stream stream) {
    stream.id = nextStreamId;
    nextStreamId += 2;
    if (nextStreamId < 0) {
      end = new H2Failure.GoneAway(0, "stream numbers used up");
    }
    stream.sendWindow = initialSendWindow;
    streams.put(stream.id, stream);
    frames.writeHeaders(stream.id, stream.headers, stream.unsent == null);
    sendBody(stream);
  }

  private void sendBody(H2Stream stream) {
    ByteBuf unsent = stream.unsent;
    if (unsent == null) {
      return;
    }
    int length = (int) Math.min(unsent.readableBytes(), Math.min(sendWindow, stream.sendWindow));
    if (length <= 0) {
      return;
    }
    sendWindow -= length;
    stream.sendWindow -= length;
    boolean last = length == unsent.readableBytes();
    frames.writeData(stream.id, unsent.readRetainedSlice(length), last);
    if (last) {
      stream.releaseBody();
    }
  }

  void cancel(H2Stream stream) {
    if (waiting.remove(stream)) {
      stream.releaseBody();
    } else if (streams.remove(stream.id) == stream) {
      stream.releaseBody();
      frames.writeReset(stream.id, Http2Error.CANCEL);
      afterStream();
      channel.flush();
    }
  }

  /** Takes a stream off the books because its last word has been received. */
  private void finish(H2Stream stream) {
    streams.remove(stream.id);
    if (stream.unsent != null) {
      stream.releaseBody();
      frames.writeReset(stream.id, Http2Error.CANCEL);
    }
    afterStream();
  }

  private void afterStream() {
    startWaiting();
    if (end != null && streams.isEmpty()) {
      channel.close();
    }
  }

  private void startWaiting() {
    while (end == null && !waiting.isEmpty() && !mustWait()) {
      start(waiting.remove());
    }
  }

  /** Ends everything that is under way. */
  void fail(H2Failure failure) {
    if (end == null || !(failure instanceof H2Failure.Closed)) {
      end = failure;
    }
    List<H2Stream> open = takeAll();
    channel.close();
    open.forEach(stream -> stream.listener.failed(failure));
  }

  private List<H2Stream> takeAll() {
    List<H2Stream> open = new ArrayList<>(streams.values());
    open.addAll(waiting);
    streams.clear();
    waiting.clear();
    open.forEach(H2Stream::releaseBody);
    return open;
  }

  // What the peer says, from here on; called by the frame handler.

  void onSettings(Http2Settings settings) {
    settled = true;
    Long streamLimit = settings.maxConcurrentStreams();
    if (streamLimit != null) {
      maxStreams = streamLimit;
    }
    Integer window = settings.initialWindowSize();
    if (window != null) {
      long change = window - initialSendWindow;
      initialSendWindow = window;
      for (H2Stream stream : streams.values()) {
        stream.sendWindow += change;
        sendBody(stream);
      }
    }
    startWaiting();
  }

  void onWindowUpdate(int streamId, int increment) {
    if (streamId == 0) {
      sendWindow += increment;
      List.copyOf(streams.values()).forEach(this::sendBody);
      return;
    }
    H2Stream stream = streams.get(streamId);
    if (stream != null) {
      stream.sendWindow += increment;
      sendBody(stream);
    }
  }

  void onHeaders(int streamId, Http2Headers headers, boolean last) {
    H2Stream stream = streamFor(streamId);
    if (stream == null) {
      return;
    }
    if (stream.responded) {
      if (!last) {
        malformed(stream, "a second header block that does not end the response");
        return;
      }
      finish(stream);
      stream.listener.trailers(headers);
      return;
    }
    if (!last && isInterim(headers)) {
      return;
    }
    stream.responded = true;
    if (last) {
      finish(stream);
    }
    stream.listener.headers(headers, last);
  }

  /** Whether there is another response to come; one of gRPC's content is what it came for. */
  private static boolean isInterim(Http2Headers headers) {
    CharSequence status = headers.status();
    CharSequence type = headers.get("content-type");
    return status != null
        && status.length() == 3
        && status.charAt(0) == '1'
        && (type == null || !AsciiString.of(type).startsWith("application/grpc"));
  }

  void onData(int streamId, ByteBuf data, int padding, boolean last) {
    int length = data.readableBytes() + padding;
    received += length;
    if (received >= options.connectionWindow() / 2) {
      frames.writeWindowUpdate(0, received);
      received = 0;
    }
    H2Stream stream = streamFor(streamId);
    if (stream == null) {
      return;
    }
    if (!stream.responded) {
      malformed(stream, "a response body before its headers");
      return;
    }
    if (last) {
      finish(stream);
    } else {
      stream.received += length;
      if (stream.received >= options.streamWindow() / 2) {
        frames.writeWindowUpdate(streamId, stream.received);
        stream.received = 0;
      }
    }
    stream.listener.data(data, last);
  }

  void onReset(int streamId, long code) {
    H2Stream stream = streamFor(streamId);
    if (stream != null) {
      streams.remove(streamId);
      stream.releaseBody();
      afterStream();
      stream.listener.failed(new H2Failure.Reset(code));
    }
  }

  void onGoAway(int lastStreamId, long code, String debug) {
    H2Failure failure = new H2Failure.GoneAway(code, debug);
    end = failure;
    List<H2Stream> unseen = new ArrayList<>(waiting);
    waiting.clear();
    for (H2Stream stream : List.copyOf(streams.values())) {
      if (stream.id > lastStreamId) {
        streams.remove(stream.id);
        unseen.add(stream);
      }
    }
    afterStream();
    for (H2Stream stream : unseen) {
      stream.releaseBody();
      stream.listener.failed(failure);
    }
  }

  /** Ends one stream because of what the peer sent on it. */
  void onStreamError(int streamId, Http2Error code, String message) {
    H2Stream stream = streams.get(streamId);
    if (stream != null) {
      reject(stream, code, message);
    }
  }

  private void malformed(H2Stream stream, String found) {
    reject(stream, Http2Error.PROTOCOL_ERROR, "broken HTTP/2: " + found);
  }

  private void reject(H2Stream stream, Http2Error code, String message) {
    streams.remove(stream.id);
    stream.releaseBody();
    frames.writeReset(stream.id, code);
    afterStream();
    stream.listener.failed(new H2Failure.Malformed(message));
  }

  /** Finds the stream a frame is for; null when it is over, which the peer may not know yet. */
  private @Nullable H2Stream streamFor(int streamId) {
    boolean never = streamId % 2 == 0 || (nextStreamId > 0 && streamId >= nextStreamId);
    if (never) {
      frames.goAway(Http2Error.PROTOCOL_ERROR);
      fail(
          new H2Failure.Malformed(
              "broken HTTP/2: a frame for stream " + streamId + ", which was never opened"));
      return null;
    }
    return streams.get(streamId);
  }
}
