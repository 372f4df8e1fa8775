package io.probelet.probe.h2;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http2.Http2Connection;
import io.netty.handler.codec.http2.Http2ConnectionAdapter;
import io.netty.handler.codec.http2.Http2Error;
import io.netty.handler.codec.http2.Http2Exception;
import io.netty.handler.codec.http2.Http2Headers;
import io.netty.handler.codec.http2.Http2Stream;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import org.jspecify.annotations.Nullable;

/**
 * The client's end of one HTTP/2 connection: opens streams and hands out what comes back. Frames,
 * streams and windows are Netty's business.
 *
 * <p>All methods are called on the channel's event loop, and so are all listeners. The connection
 * closes its channel when the peer breaks the protocol, and when the last stream ends after the
 * peer went away; otherwise its owner closes it.
 */
@SuppressWarnings("FutureReturnValueIgnored") // closing a channel is reported by channelInactive
public final class H2Connection {
  private final Channel channel;
  private final H2Options options;
  private final ConnectionHandler handler;
  private final Http2Connection connection;
  private final Http2Connection.PropertyKey key;
  private final Queue<H2Stream> waiting = new ArrayDeque<>(1);

  /** Set once no new request can be sent. */
  private @Nullable H2Failure end;

  private H2Connection(Channel channel, H2Options options) {
    this.channel = channel;
    this.options = options;
    handler = ConnectionHandler.of(this, options);
    connection = handler.connection();
    key = connection.newKey();
    handler.decoder().frameListener(new ResponseFrames(this));
    connection.addListener(
        new Http2ConnectionAdapter() {
          @Override
          public void onStreamClosed(Http2Stream stream) {
            afterStream(stream);
          }
        });
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
    channel.pipeline().addLast(connection.handler);
    return connection;
  }

  /**
   * Sends a request, at once or as soon as the peer allows one more stream.
   *
   * @param headers pseudo headers first, all names in lower case
   * @param body all of it; empty for none; this method takes ownership
   * @param listener takes the answer; it may be notified of a failure before this method returns
   * @return a handle to give the request up
   */
  public H2Stream request(Http2Headers headers, ByteBuf body, H2Listener listener) {
    H2Stream stream = new H2Stream(this, headers, body, listener);
    if (end != null) {
      body.release();
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
    return !connection.local().canOpenStream() || (options.afterSettings() && !settled());
  }

  /** {@return whether another request may be sent} */
  public boolean isOpen() {
    return end == null;
  }

  /** {@return whether the peer has shown, by its SETTINGS, that it speaks HTTP/2} */
  public boolean settled() {
    return handler.decoder().prefaceReceived();
  }

  /** Closes the channel; listeners hear nothing more. */
  public void close() {
    if (end == null) {
      end = new H2Failure.Closed(null);
    }
    takeAll();
    channel.close();
  }

  private void start(H2Stream stream) {
    int last = connection.local().lastStreamCreated();
    stream.id = last == 0 ? 1 : last + 2;
    if (stream.id > Integer.MAX_VALUE - 2) {
      end = new H2Failure.GoneAway(0, "stream IDs exhausted");
    }
    ChannelHandlerContext context = channel.pipeline().context(handler);
    boolean bodiless = !stream.body.isReadable();
    handler
        .encoder()
        .writeHeaders(context, stream.id, stream.headers, 0, bodiless, context.newPromise());
    connection.stream(stream.id).setProperty(key, stream);
    if (bodiless) {
      stream.body.release();
    } else {
      handler.encoder().writeData(context, stream.id, stream.body, 0, true, context.newPromise());
    }
  }

  void cancel(H2Stream stream) {
    if (waiting.remove(stream)) {
      stream.body.release();
    } else if (take(stream.id) == stream) {
      reset(stream.id, Http2Error.CANCEL);
      channel.flush();
    }
  }

  private void reset(int streamId, Http2Error error) {
    ChannelHandlerContext context = channel.pipeline().context(handler);
    handler.resetStream(context, streamId, error.code(), context.newPromise());
  }

  private void afterStream(Http2Stream closed) {
    H2Stream unanswered = closed.removeProperty(key);
    startWaiting();
    boolean lost = !channel.isActive();
    H2Failure unseen = end;
    if (end != null && connection.numActiveStreams() == 0) {
      channel.close();
    }
    if (unanswered != null) {
      unanswered.listener.failed(lost || unseen == null ? new H2Failure.Closed(null) : unseen);
    }
  }

  /** Sends what the peer has room for. */
  void startWaiting() {
    while (end == null && channel.isActive() && !waiting.isEmpty() && !mustWait()) {
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

  /** Ends one stream because of what the peer sent on it. */
  void fail(int streamId, String message) {
    H2Stream stream = take(streamId);
    if (stream != null) {
      stream.listener.failed(new H2Failure.Malformed(message));
    }
  }

  /** The peer takes no new request; those it has not processed are closed. */
  void goneAway(H2Failure failure) {
    end = failure;
    List<H2Stream> unseen = takeWaiting();
    if (connection.numActiveStreams() == 0) {
      channel.close();
    }
    unseen.forEach(stream -> stream.listener.failed(failure));
  }

  private List<H2Stream> takeAll() {
    List<H2Stream> open = new ArrayList<>(1);
    try {
      connection.forEachActiveStream(active -> {
        H2Stream stream = active.removeProperty(key);
        if (stream != null) {
          open.add(stream);
        }
        return true;
      });
    } catch (Http2Exception never) {
      throw new IllegalStateException("the visitor throws nothing", never);
    }
    open.addAll(takeWaiting());
    return open;
  }

  private List<H2Stream> takeWaiting() {
    List<H2Stream> unsent = List.copyOf(waiting);
    waiting.clear();
    unsent.forEach(stream -> stream.body.release());
    return unsent;
  }

  /** Finds who waits for the answer on a stream; null when that is over. */
  @Nullable H2Stream find(int streamId) {
    Http2Stream stream = connection.stream(streamId);
    return stream == null ? null : stream.getProperty(key);
  }

  /** Finds it for the last time. */
  @Nullable H2Stream take(int streamId) {
    Http2Stream stream = connection.stream(streamId);
    return stream == null ? null : stream.removeProperty(key);
  }

  /** Finds it for the last time because the answer is complete, though the request may not be. */
  void complete(int streamId) {
    Http2Stream stream = connection.stream(streamId);
    if (take(streamId) != null && stream.state().localSideOpen()) {
      reset(streamId, Http2Error.CANCEL);
    }
  }
}
