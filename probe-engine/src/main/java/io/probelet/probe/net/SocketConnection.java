package io.probelet.probe.net;

import io.netty.channel.Channel;
import io.netty.channel.epoll.EpollIoOps;
import io.probelet.probe.Verdict.Reason;
import io.probelet.probe.engine.Faults;
import io.probelet.probe.net.NetLoop.LoopBuffers;
import java.io.IOException;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A plain connection straight on Netty's epoll loop, without a channel. A probe needs neither
 * pipeline nor options, and at thousands a second they cost more than the probe: a TCP probe takes
 * 4 system calls here against 15 as a channel, an HTTP probe 7 against 18 (counted with strace).
 */
final class SocketConnection extends ProbeConnection {
  private static final Logger LOG = LoggerFactory.getLogger(SocketConnection.class);

  private static final int WRITABLE = EpollIoOps.EPOLLOUT.value();
  private static final int IPPROTO_TCP = 6;
  private static final int TCP_QUICKACK = 12;

  /** Reads of 16 KiB in one go: all of an answer that is no attack. Others then have their turn. */
  private static final int MAX_READS = 16;

  private static final byte[] NOTHING = new byte[0];

  private final PlainSocket socket;
  private final SocketPool sockets;
  private final LoopBuffers buffers;
  private final Endpoint peer;

  private State state = State.CONNECTING;

  /** Of those who make the connection, and of the exchange once there is one. */
  private @Nullable Listener listener;

  private boolean exchanging;
  private byte[] unsent = NOTHING;
  private int sent;
  private long received;
  private boolean ended;

  private enum State {
    CONNECTING,
    OPEN,
    CLOSED
  }

  /**
   * Takes a socket over.
   *
   * @param peer as messages name it
   */
  SocketConnection(PlainSocket socket, SocketPool sockets, LoopBuffers buffers, Endpoint peer) {
    this.socket = socket;
    this.sockets = sockets;
    this.buffers = buffers;
    this.peer = peer;
    socket.serve(this);
  }

  @Override
  void connect(SocketAddress remote, Listener to) {
    listener = to;
    boolean connected;
    try {
      // Our part of the handshake's end goes with the request. Where there is none, the reset that
      // follows spares the target's process a connection it could only complain about.
      socket.setIntOpt(IPPROTO_TCP, TCP_QUICKACK, 0);
      // A pod of this node has answered before the first call returns, which cannot say so yet; the
      // second does, and spares the connection a turn in epoll, which costs more than the call.
      connected = socket.connect(remote);
      if (!connected) {
        connected = socket.connect(remote);
      }
      if (!connected) {
        socket.await(PlainSocket.READING_AND_WRITING);
      }
    } catch (IOException | RuntimeException failed) {
      close();
      to.failed(SocketErrors.failure("", failed));
      return;
    }
    if (connected) {
      state = State.OPEN;
      to.connected(this);
      await();
    }
  }

  /** Has the loop say when there is something to do, unless nothing more can come. */
  private void await() {
    if (state != State.OPEN || !exchanging || ended) {
      return;
    }
    try {
      socket.await(unsent.length == 0 ? PlainSocket.READING : PlainSocket.READING_AND_WRITING);
    } catch (RuntimeException failed) {
      broken(SocketErrors.failure("", failed));
    }
  }

  @Override
  void read() {
    // it awaits what an exchange needs, after each step of it
  }

  @Override
  public void exchange(Listener to) {
    listener = to;
    exchanging = true;
  }

  @Override
  void endExchange() {
    throw new IllegalStateException("a plain socket has one exchange");
  }

  @Override
  public Channel channel() {
    throw new IllegalStateException("a plain socket has no channel");
  }

  /**
   * Does what there is to do.
   *
   * @param ready what epoll reports
   */
  void ready(int ready) {
    try {
      if (state == State.CONNECTING) {
        finishConnect(ready);
      } else if (unsent.length > 0 && (ready & WRITABLE) != 0) {
        flush();
      }
      if ((ready & ~WRITABLE) != 0) {
        receive(); // data, the end, or an error
      }
      await();
    } catch (Throwable bug) {
      failed(bug);
    }
  }

  /** Netty would stop the loop: for a second, or after an Error for good. */
  private void failed(Throwable bug) {
    Faults.rethrowIfFatal(bug);
    LOG.error("internal error on a connection peer={}", peer, bug);
    broken(new NetFailure(Reason.INTERNAL, "prober failed: " + bug)); // W-11: counts for nothing
  }

  private void finishConnect(int ready) {
    int error;
    try {
      // Anything but "writable" may be an error; asking without need would be one more system call.
      error = ready == WRITABLE ? 0 : socket.getSoError();
    } catch (IOException unknown) {
      broken(SocketErrors.failure("", unknown));
      return;
    }
    if (error != 0) {
      broken(SocketErrors.failure("", error));
    } else if (listener != null) {
      state = State.OPEN;
      listener.connected(this);
    }
  }

  @Override
  public void send(byte[] message) {
    int waiting = unsent.length - sent;
    if (waiting > 0) {
      byte[] both = Arrays.copyOfRange(unsent, sent, unsent.length + message.length);
      System.arraycopy(message, 0, both, waiting, message.length);
      unsent = both;
    } else {
      unsent = message;
    }
    sent = 0;
    flush();
  }

  private void flush() {
    ByteBuffer out = buffers.direct();
    try {
      while (state == State.OPEN && sent < unsent.length) {
        int length = Math.min(unsent.length - sent, out.capacity());
        out.put(0, unsent, sent, length);
        int taken = socket.send(out, 0, length);
        sent += taken;
        if (taken < length) {
          return; // the loop says when the socket takes more
        }
      }
    } catch (IOException failed) {
      broken(SocketErrors.failure("write tcp " + peer + ": write: ", failed));
    }
    unsent = NOTHING;
  }

  private void receive() {
    ByteBuffer in = buffers.direct();
    byte[] bytes = buffers.scratch();
    Listener to = exchanging ? listener : null;
    for (int reads = 0; reads < MAX_READS && state == State.OPEN && to != null; reads++) {
      int length;
      try {
        length = socket.recv(in, 0, in.capacity());
      } catch (IOException failed) {
        broken(SocketErrors.failure("read tcp " + peer + ": read: ", failed));
        return;
      }
      if (length == 0) {
        return;
      }
      if (length < 0) {
        ended = true;
        to.ended();
        return;
      }
      received += length;
      in.get(0, bytes, 0, length);
      to.received(bytes, length);
    }
  }

  private void broken(NetFailure failure) {
    close(false);
    if (listener != null) {
      listener.failed(failure);
    }
  }

  @Override
  void close() {
    // The buffers of a connection that brought much have grown, and are of no use to the next one.
    close(state == State.OPEN && unsent.length == 0 && received <= buffers.scratch().length);
  }

  private void close(boolean inOrder) {
    if (state == State.CLOSED) {
      return;
    }
    state = State.CLOSED;
    if (inOrder) {
      sockets.giveBack(socket);
    } else {
      socket.release();
    }
  }
}
