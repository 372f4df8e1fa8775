package io.probelet.simulation.api;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.probelet.simulation.api.RequestFate.Effect;
import io.probelet.simulation.kernel.SimulatedProcess;
import io.probelet.simulation.kernel.Simulation;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.ConnectException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Carries requests to the server and answers back, with the faults of the world. */
final class Network {
  private static final Duration CONNECT = Duration.ofMillis(1);

  private final Simulation world;
  private final ObjectStore store;
  private final Function<ApiRequest, ApiAnswer> server;
  private final Set<SimulatedProcess> separated = new HashSet<>();
  private final List<OpenWatch> open = new ArrayList<>();
  private ApiFaults faults = ApiFaults.NONE;
  private boolean stopped;

  Network(Simulation world, ObjectStore store, Function<ApiRequest, ApiAnswer> server) {
    this.world = world;
    this.store = store;
    this.server = server;
    world.onEnd(this::ended);
  }

  /** The connections of a process that ends are closed. */
  private void ended(SimulatedProcess process) {
    separated.remove(process);
    open.removeIf(watch -> watch.exchange.process().equals(process));
  }

  void faults(ApiFaults deciding) {
    faults = deciding;
  }

  void stopped(boolean now) {
    stopped = now;
  }

  void partition(SimulatedProcess process, boolean now) {
    if (now) {
      separated.add(process);
    } else if (separated.remove(process)) {
      cut(watch -> watch.exchange.process() == process);
    }
  }

  /** Ends a partition; connections of watches stay open but silent. */
  void healSilently(SimulatedProcess process) {
    if (separated.remove(process)) {
      open.removeIf(watch -> watch.exchange.process() == process);
    }
  }

  private boolean isSeparated(Exchange exchange) {
    return separated.contains(exchange.process());
  }

  private void trace(ApiRequest request, String what) {
    world
        .trace()
        .add(world.now(), request.process(), request.method() + " " + request.path() + " " + what);
  }

  /** Sends a request. */
  void send(ApiRequest request, Exchange exchange) {
    if (isSeparated(exchange)) {
      return; // packets are dropped, so the request times out
    }
    RequestFate fate = faults.of(request);
    world.after(fate.there(), () -> arrive(request, exchange, fate));
  }

  private void arrive(ApiRequest request, Exchange exchange, RequestFate fate) {
    if (isSeparated(exchange) || exchange.process().isKilled()) {
      return;
    }
    if (stopped) {
      trace(request, "refused");
      world.after(CONNECT, () -> exchange.fail(new ConnectException("Connection refused")));
      return;
    }
    Effect effect = fate.effect();
    if (!(effect instanceof Effect.CarriedOut)) {
      trace(request, "meets " + effect.getClass().getSimpleName());
    }
    switch (effect) {
      case Effect.CarriedOut() -> answer(exchange, fate, carryOut(request));
      case Effect.LostRequest() -> {}
      case Effect.LostAnswer() -> endIfWatch(carryOut(request));
      case Effect.CutAnswer() -> cutAnswer(exchange, fate, carryOut(request));
      case Effect.Duplicated(Duration later) -> {
        endIfWatch(carryOut(request));
        world.after(later, () -> answer(exchange, fate, carryOut(request)));
      }
      case Effect.Refused(int code, String reason, String message, Duration retryAfter) ->
          answer(
              exchange, fate, ApiAnswer.of(new RefusedRequest(code, reason, message, retryAfter)));
      case Effect.FailedAfterwards(int code, String message) -> {
        endIfWatch(carryOut(request));
        answer(exchange, fate, ApiAnswer.of(new RefusedRequest(code, "InternalError", message)));
      }
    }
  }

  private ApiAnswer carryOut(ApiRequest request) {
    ApiAnswer answer = server.apply(request);
    trace(request, answer.code() + (request.isRead() ? "" : " at " + store.version()));
    return answer;
  }

  private static void endIfWatch(ApiAnswer answer) {
    if (answer instanceof ApiAnswer.Endless(WatchStream watch)) {
      watch.end();
    }
  }

  private void answer(Exchange exchange, RequestFate fate, ApiAnswer answer) {
    switch (answer) {
      case ApiAnswer.Whole(int code, String body, Duration retryAfter) ->
          back(
              exchange,
              fate.back(),
              () -> {
                exchange.head(code, retryAfter);
                exchange.bytes(body.getBytes(UTF_8));
                exchange.end();
              });
      case ApiAnswer.Endless(WatchStream watch) -> {
        OpenWatch opened = new OpenWatch(watch, exchange);
        open.add(opened);
        exchange.whenAbandoned(opened::forget);
        opened.begin(fate.back());
      }
    }
  }

  private void cutAnswer(Exchange exchange, RequestFate fate, ApiAnswer answer) {
    endIfWatch(answer);
    back(
        exchange,
        fate.back(),
        () -> {
          exchange.head(answer.code(), null);
          if (answer instanceof ApiAnswer.Whole(int _, String body, Duration _)) {
            exchange.bytes(body.substring(0, body.length() / 2).getBytes(UTF_8));
          }
          exchange.fail(new IOException("Connection reset"));
        });
  }

  private void back(Exchange exchange, Duration delay, Runnable arrival) {
    world.after(
        delay,
        () -> {
          if (!isSeparated(exchange) && !exchange.isOver()) {
            arrival.run();
          }
        });
  }

  /** Tells the watches about a change. */
  void changed(ObjectStore.Change change) {
    List.copyOf(open).forEach(each -> each.watch.changed(change));
  }

  int watches() {
    return open.size();
  }

  /** Ends all watches, as a server that stops does. */
  void endWatches() {
    List.copyOf(open).forEach(each -> each.watch.end());
    open.clear();
  }

  void endWatchesWithoutKind(ApiKinds kinds) {
    for (OpenWatch each : List.copyOf(open)) {
      if (kinds.find(each.watch.collection()) == null) {
        each.watch.end();
        open.remove(each);
      }
    }
  }

  void cutWatches() {
    cut(_ -> true);
  }

  private void cut(Predicate<OpenWatch> which) {
    for (OpenWatch each : List.copyOf(open)) {
      if (which.test(each)) {
        each.cut();
      }
    }
  }

  /** A watch and its connection. */
  private final class OpenWatch implements WatchStream.Sink {
    private static final Duration BOOKMARKS = Duration.ofMinutes(1);
    private static final int LONGEST = 3600;

    private final WatchStream watch;
    private final Exchange exchange;

    /** When what was sent last arrives: nothing overtakes it. */
    private long lastArrival;

    /** What arrives together at that time. */
    private @Nullable ByteArrayOutputStream together;

    /** Bytes were lost: the stream stays silent, even after the partition. */
    private boolean broken;

    /** Its end is under way: nothing is sent after it. */
    private boolean closed;

    OpenWatch(WatchStream watch, Exchange exchange) {
      this.watch = watch;
      this.exchange = exchange;
    }

    void begin(Duration delay) {
      send(delay, () -> exchange.head(200, null));
      watch.to(this);
      String seconds = watch.request().parameter("timeoutSeconds");
      later(
          Duration.ofSeconds(seconds.isEmpty() ? LONGEST : Long.parseLong(seconds)),
          () -> {
            watch.bookmark(store.version());
            watch.end();
          });
      later(BOOKMARKS, this::bookmark);
    }

    /** Without the process, nothing of this connection is left. */
    private void later(Duration delay, Runnable action) {
      world.at(world.now() + delay.toNanos(), exchange.process(), action);
    }

    private void bookmark() {
      if (open.contains(this) && watch.wantsBookmarks()) {
        watch.bookmark(store.version());
        later(BOOKMARKS, this::bookmark);
      }
    }

    void forget() {
      open.remove(this);
    }

    private void send(Duration delay, Runnable arrival) {
      together = null;
      lastArrival = Math.max(lastArrival, world.now() + delay.toNanos());
      world.at(
          lastArrival,
          () -> {
            if (exchange.isOver()) {
              forget();
            } else if (broken || isSeparated(exchange)) {
              broken = true;
            } else {
              arrival.run();
            }
          });
    }

    @Override
    public void event(byte[] line) {
      if (exchange.isOver()) {
        forget();
        return;
      }
      if (broken || closed) {
        return;
      }
      ApiFaults.EventFate fate = faults.ofEvent(watch.request());
      if (fate.cut()) {
        trace(watch.request(), "cut");
        send(fate.delay(), () -> exchange.bytes(Arrays.copyOf(line, line.length / 2)));
        cut();
      } else {
        sendLine(fate.delay(), line);
      }
    }

    /** Lines that arrive at the same time arrive as one, so that their reader has all of them. */
    private void sendLine(Duration delay, byte[] line) {
      if (together != null && lastArrival >= world.now() + delay.toNanos()) {
        together.writeBytes(line);
        return;
      }
      ByteArrayOutputStream lines = new ByteArrayOutputStream();
      lines.writeBytes(line);
      send(
          delay,
          () -> {
            if (lines.equals(together)) {
              together = null;
            }
            exchange.bytes(lines.toByteArray());
          });
      together = lines;
    }

    @Override
    public void end() {
      forget();
      if (!closed) {
        closed = true;
        send(Duration.ZERO, exchange::end);
      }
    }

    void cut() {
      forget();
      if (closed) {
        return;
      }
      closed = true;
      Runnable reset = () -> exchange.fail(new IOException("Connection reset"));
      if (broken) {
        world.after(Duration.ZERO, reset);
      } else {
        send(Duration.ZERO, reset);
      }
    }
  }
}
