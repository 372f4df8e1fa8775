package io.probelet.probe.net;

import io.netty.channel.IoEvent;
import io.netty.channel.IoEventLoop;
import io.netty.channel.IoRegistration;
import io.netty.channel.epoll.EpollIoEvent;
import io.netty.channel.epoll.EpollIoHandle;
import io.netty.channel.epoll.EpollIoOps;
import io.netty.channel.unix.FileDescriptor;
import io.probelet.probe.Verdict.Reason;
import io.probelet.probe.engine.Faults;
import java.io.IOException;
import java.net.Inet4Address;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A plain connection straight on Netty's epoll loop, without a channel. A probe needs neither
 * pipeline nor options, and at thousands a second they cost more than the probe: a TCP probe takes
 * 4 system calls here against 15 as a channel, an HTTP probe 9 against 18 (counted with strace).
 */
final class SocketLink implements EpollIoHandle, Link, Wire {
  private static final Logger LOG = LoggerFactory.getLogger(SocketLink.class);

  /** What is to be read, its end, and errors, each said once. */
  private static final EpollIoOps READING = EpollIoOps.EPOLLIN.with(EpollIoOps.EPOLLET);

  /** The same for a connection or a message that is under way: nothing need be changed later. */
  private static final EpollIoOps READING_AND_WRITING = READING.with(EpollIoOps.EPOLLOUT);

  private static final int WRITABLE = EpollIoOps.EPOLLOUT.value();
  private static final int IPPROTO_TCP = 6;
  private static final int TCP_QUICKACK = 12;

  /** Reads of 16 KiB in one go: all of an answer that is no attack. */
  private static final int MAX_READS = 16;

  private static final byte[] NOTHING = new byte[0];

  private final SpareSockets.Plain socket;
  private final SpareSockets sockets;
  private final IoEventLoop eventLoop;
  private final LoopBuffers buffers;
  private final boolean brief;

  private State state = State.CONNECTING;
  private @Nullable IoRegistration registration;
  private @Nullable EpollIoOps watched;
  private @Nullable Outcome outcome;
  private @Nullable WireListener listener;
  private @Nullable Endpoint peer;
  private byte[] unsent = NOTHING;
  private int sent;

  private enum State {
    CONNECTING,
    OPEN,
    CLOSED
  }

  private SocketLink(
      SpareSockets.Plain socket,
      SpareSockets sockets,
      IoEventLoop eventLoop,
      LoopBuffers buffers,
      boolean brief) {
    this.socket = socket;
    this.sockets = sockets;
    this.eventLoop = eventLoop;
    this.buffers = buffers;
    this.brief = brief;
  }

  /**
   * Opens a socket.
   *
   * @param brief whether the connection is mostly closed as soon as it stands
   * @throws RuntimeException if the machine has no more to give
   */
  static SocketLink open(
      InetSocketAddress towards,
      SpareSockets sockets,
      IoEventLoop eventLoop,
      LoopBuffers buffers,
      boolean brief) {
    boolean ipv4 = towards.getAddress() instanceof Inet4Address;
    return new SocketLink(sockets.take(ipv4), sockets, eventLoop, buffers, brief);
  }

  @Override
  public void connect(InetSocketAddress remote, Outcome to) {
    boolean connected;
    try {
      // Our part of the handshake's end goes with the request. Where there is none, the reset that
      // follows spares the target's process a connection it could only complain about.
      socket.setIntOpt(IPPROTO_TCP, TCP_QUICKACK, 0);
      connected = socket.connect(remote);
      if (!connected && brief) {
        // A pod of this node has answered before the first call returns, which cannot say so yet;
        // the second does. That spares a connection that is over then its turn in epoll, which
        // costs more than the call (benchmarks/run tcp); one that goes on needs it all the same.
        connected = socket.connect(remote);
      }
      if (!connected) {
        outcome = to;
        watch(READING_AND_WRITING);
      }
    } catch (IOException | RuntimeException failed) {
      outcome = null;
      close();
      to.refused(SocketErrors.failure("", failed));
      return;
    }
    if (connected) {
      state = State.OPEN;
      to.connected();
      if (state == State.OPEN && watched == null) {
        watchOpen(READING);
      }
    }
  }

  /** Has the loop say when there is something to do, from now on or once more. */
  private void watch(EpollIoOps what) {
    IoRegistration known = registration;
    if (known == null) {
      known = eventLoop.register(this).getNow(); // at once, being on the loop
      registration = known;
    }
    known.submit(what);
    watched = what;
  }

  private void watchOpen(EpollIoOps what) {
    try {
      watch(what);
    } catch (RuntimeException failed) {
      broken(SocketErrors.failure("", failed));
    }
  }

  /** Begins to exchange bytes; the connection stands. */
  void exchange(Endpoint endpoint, WireListener to) {
    peer = endpoint;
    listener = to;
    to.connected(this);
  }

  @Override
  public void handle(IoRegistration from, IoEvent event) {
    int ready = ((EpollIoEvent) event).ops().value();
    try {
      if (state == State.CONNECTING) {
        finishConnect(ready);
      } else if (unsent.length > 0 && (ready & WRITABLE) != 0) {
        flush();
      }
      if ((ready & ~WRITABLE) != 0) {
        receive(); // data, the end, or an error
      }
    } catch (Throwable bug) {
      failed(bug);
    }
  }

  private void receiveMore() {
    try {
      receive();
    } catch (Throwable bug) {
      failed(bug);
    }
  }

  /** Netty would stop the loop: for a second, or after an Error for good. */
  private void failed(Throwable bug) {
    Faults.survive(bug);
    LOG.error("connection failed peer={}", peer, bug);
    broken(new NetFailure(Reason.INTERNAL, "prober failed: " + bug)); // W-11: counts for nothing
  }

  private void finishConnect(int ready) {
    Outcome to = outcome;
    outcome = null;
    int error;
    try {
      // Anything but "writable" may be an error; asking without need would be one more system call.
      error = ready == WRITABLE ? 0 : socket.getSoError();
    } catch (IOException unknown) {
      close();
      report(to, SocketErrors.failure("", unknown));
      return;
    }
    if (error != 0) {
      close();
      report(to, SocketErrors.failure("", error));
    } else if (to != null) {
      state = State.OPEN;
      to.connected();
    }
  }

  private static void report(@Nullable Outcome outcome, NetFailure failure) {
    if (outcome != null) {
      outcome.refused(failure);
    }
  }

  @Override
  public void send(byte[] message) {
    unsent = message;
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
          if (!READING_AND_WRITING.equals(watched)) {
            watchOpen(READING_AND_WRITING);
          }
          return; // the loop says when the socket takes more
        }
      }
    } catch (IOException failed) {
      broken(SocketErrors.failure("write tcp " + peer + ": write: ", failed));
    }
    unsent = NOTHING;
  }

  /**
   * Reads until there is no more; with edge-triggering nobody would say that something is left. Who
   * sends without end gives way to other connections now and then.
   */
  private void receive() {
    ByteBuffer in = buffers.direct();
    byte[] bytes = buffers.scratch();
    for (int reads = 0; state == State.OPEN && listener != null; reads++) {
      if (reads == MAX_READS) {
        eventLoop.execute(this::receiveMore);
        return;
      }
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
        listener.ended();
        return;
      }
      in.get(0, bytes, 0, length);
      listener.received(bytes, length);
    }
  }

  private void broken(NetFailure failure) {
    close();
    if (listener != null) {
      listener.failed(failure);
    }
  }

  @Override
  public FileDescriptor fd() {
    return socket;
  }

  @Override
  public void close() {
    if (state == State.CLOSED) {
      return;
    }
    // What nothing was sent on yet, and epoll knows nothing of, can be used for another connection.
    boolean unused = state == State.OPEN && registration == null && sent == 0 && unsent.length == 0;
    state = State.CLOSED;
    if (unused) {
      sockets.giveBack(socket);
      return;
    }
    SpareSockets.close(socket); // first, as that takes it out of epoll, too
    if (registration != null) {
      registration.cancel();
    }
  }
}
