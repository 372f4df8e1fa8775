package io.probelet.runtime.cri;

import static io.probelet.runtime.Patience.LONG;
import static io.probelet.runtime.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.nio.NioIoHandler;
import io.probelet.health.SystemClock;
import io.probelet.probe.PodRef;
import io.probelet.probe.runtime.ContainerObservation;
import io.probelet.probe.runtime.ContainerRuntimeException;
import io.probelet.probe.runtime.ExecResult;
import io.probelet.probe.runtime.ExecResult.Exited;
import io.probelet.probe.runtime.PodObservation;
import io.probelet.probe.runtime.RuntimeListener;
import io.probelet.runtime.cri.FakeCri.Call;
import io.probelet.runtime.cri.v1.ContainerEventResponse;
import io.probelet.runtime.cri.v1.ContainerState;
import io.probelet.runtime.cri.v1.ExecSyncRequest;
import io.probelet.runtime.cri.v1.ExecSyncResponse;
import io.probelet.runtime.cri.v1.StopContainerRequest;
import io.probelet.runtime.cri.v1.StopContainerResponse;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** The adapter against a runtime that does what each test says, on a real socket. */
class CriRuntimeTest {
  private static final PodRef WEB = new PodRef("default", "web", "web-uid");
  private static final Duration SHORT = Duration.ofMillis(300);
  private static final Duration SOON = Duration.ofSeconds(2);

  /** Looks often, and takes nobody for away who is only slow. */
  private static final CriOptions QUICK = options(Duration.ofMillis(200));

  @TempDir Path directory;
  private final EventLoopGroup loops =
      new MultiThreadIoEventLoopGroup(1, EpollIoHandler.newFactory());
  private final Pods pods = new Pods();
  private Path socket;
  private FakeCri cri;
  private CriRuntime runtime;

  @BeforeEach
  void start() {
    socket = directory.resolve("cri.sock");
    cri = new FakeCri(socket);
    cri.sandboxes.put("s1", Listed.sandbox("s1", "web"));
    cri.containers.put("c1", Listed.running("c1", "s1", "app", 0));
  }

  @AfterEach
  void stop() {
    if (runtime != null) {
      runtime.close();
    }
    cri.close();
    loops.shutdownGracefully(0, 1, TimeUnit.SECONDS).syncUninterruptibly();
  }

  private static CriOptions options(Duration relistPeriod) {
    return new CriOptions("127.0.0.1", relistPeriod, LONG, LONG, LONG, 2);
  }

  private void connect(CriOptions options) {
    runtime = CriRuntime.connect(socket, loops, SystemClock.INSTANCE, options);
    runtime.watch(pods);
  }

  private void connect() {
    connect(QUICK);
    pods.until(WEB, "app", ContainerObservation::running);
  }

  private ExecResult exec() throws Exception {
    return exec(LONG);
  }

  private ExecResult exec(Duration timeout) throws Exception {
    return runtime.exec("c1", List.of("check", "it"), timeout, 10 * 1024);
  }

  static Stream<Supplier<IoHandlerFactory>> transports() {
    return Stream.of(EpollIoHandler::newFactory, NioIoHandler::newFactory);
  }

  @ParameterizedTest
  @DisplayName("a unix socket is reached by epoll and by NIO")
  @MethodSource("transports")
  void transport(Supplier<IoHandlerFactory> transport) throws Exception {
    EventLoopGroup group = new MultiThreadIoEventLoopGroup(1, transport.get());
    try (CriRuntime own = CriRuntime.connect(socket, group, SystemClock.INSTANCE, QUICK)) {
      await().until(own::connected);
      assertThat(own.stats().runtime()).isEqualTo("fake 1");
    } finally {
      group.shutdownGracefully(0, 1, TimeUnit.SECONDS).sync();
    }
  }

  @Test
  @DisplayName("a listener that fails with one pod is told of the others all the same")
  void listenerFails() {
    cri.sandboxes.put("s2", Listed.sandbox("s2", "db"));
    List<String> told = new CopyOnWriteArrayList<>();
    runtime = CriRuntime.connect(socket, loops, SystemClock.INSTANCE, QUICK);
    runtime.watch(
        new RuntimeListener() {
          @Override
          public void observed(PodObservation observation) {
            told.add(observation.pod().name());
            throw new IllegalStateException("expected by the test");
          }

          @Override
          public void gone(PodRef pod) {
            // none goes
          }
        });
    await().untilAsserted(() -> assertThat(told).contains("web", "db"));
  }

  @Test
  @DisplayName("everything there is is told first, then each change, then what is gone")
  void watching() {
    connect();
    assertThat(pods.get(WEB).ips()).containsExactly("10.0.0.1");

    cri.containers.put("c2", Listed.running("c2", "s1", "app", 1));
    pods.until(WEB, "app", each -> each.id().equals("c2") && each.restartCount() == 1);

    Pods newcomer = new Pods();
    runtime.watch(newcomer);
    newcomer.until(WEB, "app", ContainerObservation::running);

    cri.containers.clear();
    cri.sandboxes.clear();
    await().until(() -> newcomer.get(WEB) == null);
  }

  @Test
  @DisplayName("a thousand containers cost one list a period, and one question each when new")
  void relistCost() {
    for (int i = 0; i < 1000; i++) {
      cri.sandboxes.put("s" + i, Listed.sandbox("s" + i, "pod" + i));
      cri.containers.put("c" + i, Listed.running("c" + i, "s" + i, "app", 0));
    }
    connect(options(Duration.ofMillis(50)));
    await().until(() -> pods.size() == 1000);
    int lists = cri.asked("ListContainers");
    await().until(() -> cri.asked("ListContainers") >= lists + 3);

    assertThat(cri.asked("ContainerStatus")).isEqualTo(1000);
    assertThat(cri.asked("PodSandboxStatus")).isEqualTo(1000);
    assertThat(pods.told()).isEqualTo(1000);
  }

  @Test
  @DisplayName("a container the runtime forgot between list and question is left for the next look")
  void forgotten() {
    AtomicInteger refusals = new AtomicInteger();
    cri.on(
        "ContainerStatus",
        call -> {
          refusals.incrementAndGet();
          call.fail(5, "no such container");
        });
    connect(QUICK);
    pods.until(WEB, "app", each -> each.reason().equals("ContainerStatusUnknown"));
    await().until(() -> refusals.get() >= 3);

    assertThat(runtime.connected()).isTrue();
  }

  @Test
  @DisplayName("a listener that throws does not end the watch")
  void brokenListener() {
    AtomicInteger told = new AtomicInteger();
    runtime = CriRuntime.connect(socket, loops, SystemClock.INSTANCE, QUICK);
    runtime.watch(
        new RuntimeListener() {
          @Override
          public void observed(PodObservation observation) {
            if (told.incrementAndGet() == 1) {
              throw new IllegalStateException("on purpose");
            }
          }

          @Override
          public void gone(PodRef pod) {}
        });
    await().until(() -> told.get() == 1);
    cri.containers.put("c2", Listed.running("c2", "s1", "app", 1));
    await().until(() -> told.get() == 2);
  }

  @Test
  @DisplayName("a runtime that is not there is no error, and is found when it comes")
  void lateRuntime() {
    cri.close();
    connect(QUICK);
    await().until(() -> runtime.stats().problem().startsWith("connect to " + socket));
    assertThat(runtime.stats().problem()).endsWith(": no such file or directory");
    assertThat(runtime.connected()).isFalse();
    assertThatThrownBy(this::exec)
        .isInstanceOf(ContainerRuntimeException.class)
        .hasMessage("ExecSync: not connected to " + socket);

    start();
    await().until(runtime::connected);
  }

  @Test
  @DisplayName("a runtime that comes back after a while is found within 2 s")
  void foundSoon() {
    connect();
    Duration took = untilFound();
    // What stalls this machine does not do so thrice in a row.
    for (int again = 0; again < 2 && took.compareTo(SOON) >= 0; again++) {
      took = untilFound();
    }
    assertThat(took).isLessThan(SOON);
  }

  private Duration untilFound() {
    cri.close();
    // Long enough for pauses between attempts that grew without an end to be longer than allowed.
    await().pollDelay(Duration.ofSeconds(4)).until(() -> !runtime.connected());
    start();
    long back = System.nanoTime();
    await().pollInterval(Duration.ofMillis(10)).until(runtime::connected);
    return Duration.ofNanos(System.nanoTime() - back);
  }

  @Test
  @DisplayName("while the runtime is away what was seen stays, and commands fail as its fault")
  void restart() throws Exception {
    connect();
    CompletableFuture<Throwable> underWay = new CompletableFuture<>();
    cri.on("ExecSync", _ -> {});
    Thread.ofVirtual()
        .start(() -> {
          try {
            underWay.complete(new AssertionError(exec().toString()));
          } catch (Exception failure) {
            underWay.complete(failure);
          }
        });
    await().until(() -> cri.asked("ExecSync") == 1);
    int told = pods.told();
    cri.close();

    assertThat(underWay.get(1, TimeUnit.MINUTES)).isInstanceOf(ContainerRuntimeException.class);
    await().until(() -> !runtime.connected());
    assertThatThrownBy(this::exec).isInstanceOf(ContainerRuntimeException.class);
    assertThat(pods.container(WEB, "app").running()).isTrue();
    assertThat(pods.told()).isEqualTo(told);

    start();
    cri.containers.put("c2", Listed.running("c2", "s1", "app", 1));
    pods.until(WEB, "app", each -> each.id().equals("c2"));
    assertThat(runtime.stats().disconnects()).isEqualTo(1);
    assertThat(runtime.stats().execs().running()).isZero();
  }

  @Test
  @DisplayName("a runtime that does not answer counts as away until it does")
  void slow() {
    connect(new CriOptions("127.0.0.1", Duration.ofMillis(200), SHORT, LONG, LONG, 2));
    pods.until(WEB, "app", ContainerObservation::running);
    cri.on("ListContainers", _ -> {});
    String problem = "ListContainers: " + socket + " did not answer within 300ms";
    await().until(() -> runtime.stats().problem().equals(problem));
    assertThat(runtime.connected()).isFalse();
    assertThat(pods.container(WEB, "app").running()).isTrue();

    cri.close();
    start();
    await().until(runtime::connected);
  }

  @Test
  @DisplayName("an answer that is no message counts as away")
  void brokenMessage() {
    connect();
    cri.on("ListContainers", call -> call.reply(new byte[] {0x0a, 0x7f, 1, 2, 3}));
    await().until(() -> !runtime.connected());

    assertThat(runtime.stats().problem())
        .startsWith("ListContainers: the runtime's answer is broken");
    assertThat(pods.container(WEB, "app").running()).isTrue();
  }

  @Test
  @DisplayName(
      "a well-formed answer that makes no sense counts as away, until there is a better one")
  void nonsense() {
    connect();
    cri.containers.put("", Listed.running("", "s1", "nameless", 0));
    await().until(() -> !runtime.connected());
    assertThat(runtime.stats().problem())
        .isEqualTo(
            "the runtime's answer makes no sense: a running container has an id and a start time");
    assertThat(pods.container(WEB, "app").running()).isTrue();

    cri.containers.remove("");
    cri.containers.put("c2", Listed.running("c2", "s1", "app", 1));
    pods.until(WEB, "app", each -> each.id().equals("c2"));
    await().until(runtime::connected);
  }

  @Test
  @DisplayName("OK without a message is no empty list, and no exit code 0")
  void noMessage() {
    connect();
    FakeCri.Answer none =
        call -> {
          call.begin();
          call.end(0, "");
        };
    cri.on("ExecSync", none);
    assertThatThrownBy(this::exec)
        .isInstanceOf(ContainerRuntimeException.class)
        .hasMessage("ExecSync: the runtime's answer is broken: not an ExecSyncResponse");

    cri.on("ListContainers", none);
    await().until(() -> !runtime.connected());

    assertThat(runtime.stats().problem())
        .isEqualTo("ListContainers: the runtime's answer is broken: OK without a message");
    assertThat(pods.container(WEB, "app").running()).isTrue();
  }

  @Test
  @DisplayName("a socket that speaks something else is reported as that")
  void garbage() throws Exception {
    Path other = directory.resolve("other.sock");
    try (ServerSocketChannel listener = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
      listener.bind(UnixDomainSocketAddress.of(other));
      Thread.ofVirtual().start(() -> greetAll(listener));
      socket = other;
      connect(QUICK);
      await()
          .until(() ->
              runtime.stats().problem().contains("not an HTTP/2 server: its answer begins with"));
      assertThat(runtime.connected()).isFalse();
    }
  }

  private static void greetAll(ServerSocketChannel listener) {
    byte[] greeting = "HTTP/1.1 400 Bad Request\r\n\r\n".getBytes(StandardCharsets.UTF_8);
    try {
      while (true) {
        SocketChannel peer = listener.accept();
        peer.write(ByteBuffer.wrap(greeting));
      }
    } catch (IOException closed) {
      // the end of the test
    }
  }

  @Test
  @DisplayName("H-9: exit code and output of a command, which gets whole seconds from us")
  void command() throws Exception {
    connect();
    BlockingQueue<ExecSyncRequest> requests = new ArrayBlockingQueue<>(1);
    cri.on(
        "ExecSync",
        call -> {
          requests.add(ExecSyncRequest.parseFrom(call.request()));
          call.reply(
              ExecSyncResponse.newBuilder()
                  .setStdout(ByteString.copyFromUtf8("out"))
                  .setStderr(ByteString.copyFromUtf8("err"))
                  .setExitCode(3)
                  .build());
        });

    assertThat(exec(Duration.ofMillis(61_200))).isEqualTo(new Exited(3, "outerr"));
    assertThat(requests.remove())
        .isEqualTo(
            ExecSyncRequest.newBuilder()
                .setContainerId("c1")
                .addCmd("check")
                .addCmd("it")
                .setTimeout(62)
                .build());
  }

  @Test
  @DisplayName("C-27: of a very long output only the beginning is kept")
  void longOutput() throws Exception {
    connect();
    ByteString output = ByteString.copyFrom(new byte[16 * 1024 * 1024]);
    byte[] message =
        ExecSyncResponse.newBuilder().setStdout(output).setExitCode(1).build().toByteArray();
    cri.on("ExecSync", call -> call.reply(message));

    Exited exited = (Exited) exec();
    assertThat(exited.exitCode()).isEqualTo(1);
    assertThat(exited.output()).hasSize(10 * 1024);
  }

  @ParameterizedTest
  @DisplayName("H-9: what could not be run is the runtime's failure")
  @CsvSource({
    "2,'failed to exec: \"nope\": executable file not found','rpc error: code = Unknown'",
    "5,no such container,'rpc error: code = NotFound desc = no such container'",
    "14,shutting down,'rpc error: code = Unavailable desc = shutting down'"
  })
  void couldNotRun(int code, String text, String message) {
    connect();
    cri.on("ExecSync", call -> call.fail(code, text));
    assertThatThrownBy(this::exec)
        .isInstanceOf(ContainerRuntimeException.class)
        .hasMessageStartingWith("ExecSync: " + message);
  }

  @Test
  @DisplayName(
      "at most so many commands run at once; the others wait, which takes none of their time")
  void slots() throws Exception {
    connect();
    BlockingQueue<Call> calls = new ArrayBlockingQueue<>(10);
    cri.on("ExecSync", calls::add);
    List<CompletableFuture<ExecResult>> results =
        Stream.generate(
                () -> CompletableFuture.supplyAsync(this::slowExec, Thread::startVirtualThread))
            .limit(5)
            .toList();
    await().until(() -> runtime.stats().execs().waiting() == 3 && calls.size() == 2);
    assertThat(runtime.stats().execs().running()).isEqualTo(2);

    for (int i = 0; i < 5; i++) {
      Call call = calls.poll(1, TimeUnit.MINUTES);
      call.stream().executor().execute(() -> call.reply(ExecSyncResponse.getDefaultInstance()));
    }
    for (CompletableFuture<ExecResult> result : results) {
      assertThat(result.get(1, TimeUnit.MINUTES)).isEqualTo(new Exited(0, ""));
    }
    CriStats.Execs execs = runtime.stats().execs();
    assertThat(execs.running()).isZero();
    assertThat(execs.limit()).isEqualTo(2);
    assertThat(execs.begun()).isEqualTo(5);
    assertThat(execs.waited()).isPositive();
  }

  private ExecResult slowExec() {
    try {
      return exec();
    } catch (Exception failed) {
      throw new AssertionError(failed);
    }
  }

  @Test
  @DisplayName("who waits for a slot can give up")
  void waitingInterrupted() throws Exception {
    connect();
    cri.on("ExecSync", _ -> {});
    for (int i = 0; i < 2; i++) {
      CompletableFuture.supplyAsync(this::slowExec, Thread::startVirtualThread);
    }
    await().until(() -> runtime.stats().execs().running() == 2);
    CompletableFuture<Class<?>> thrown = new CompletableFuture<>();
    Thread third =
        Thread.startVirtualThread(() -> {
          try {
            exec();
          } catch (Exception failed) {
            thrown.complete(failed.getClass());
          }
        });
    await().until(() -> runtime.stats().execs().waiting() == 1);
    third.interrupt();

    assertThat(thrown.get(1, TimeUnit.MINUTES)).isEqualTo(InterruptedException.class);
    assertThat(runtime.stats().execs().waiting()).isZero();
  }

  @Test
  @DisplayName("stopping passes the grace on, in whole seconds, and looks at once what came of it")
  void stopping() throws Exception {
    connect(options(Duration.ofHours(1)));
    pods.until(WEB, "app", ContainerObservation::running);
    cri.on(
        "StopContainer",
        call -> {
          StopContainerRequest request = StopContainerRequest.parseFrom(call.request());
          assertThat(request.getContainerId()).isEqualTo("c1");
          assertThat(request.getTimeout()).isEqualTo(3);
          cri.containers.put(
              "c1", Listed.container("c1", "s1", "app", ContainerState.CONTAINER_EXITED, 0));
          call.reply(StopContainerResponse.getDefaultInstance());
        });
    runtime.stop("c1", Duration.ofMillis(2500));
    pods.until(WEB, "app", each -> each.exitCode() == 137);
  }

  @Test
  @DisplayName("a container the runtime does not know is stopped; any other trouble is told")
  void stopTrouble() throws Exception {
    connect();
    cri.on("StopContainer", call -> call.fail(5, "not found"));
    runtime.stop("c9", Duration.ZERO);

    cri.on("StopContainer", call -> call.fail(13, "shim is gone"));
    assertThatThrownBy(() -> runtime.stop("c1", Duration.ZERO))
        .isInstanceOf(ContainerRuntimeException.class)
        .hasMessage("StopContainer: rpc error: code = Internal desc = shim is gone");
  }

  @Test
  @DisplayName("an event is looked into at once")
  void events() {
    BlockingQueue<Call> streams = new ArrayBlockingQueue<>(1);
    cri.on(
        "GetContainerEvents",
        call -> {
          call.begin();
          streams.add(call);
        });
    connect(options(Duration.ofHours(1)));
    pods.until(WEB, "app", ContainerObservation::running);
    await().until(() -> !streams.isEmpty());

    cri.containers.put("c2", Listed.running("c2", "s1", "app", 1));
    Call stream = streams.remove();
    stream.stream()
        .executor()
        .execute(() ->
            stream.message(
                ContainerEventResponse.newBuilder().setContainerId("c2").build().toByteArray()));
    pods.until(WEB, "app", each -> each.id().equals("c2"));
  }

  @Test
  @DisplayName("with events that come there are fewer looks; without them every period has one")
  void eventsSlowTheLooks() {
    cri.on(
        "GetContainerEvents",
        call -> {
          call.begin();
          call.message(new byte[0]);
        });
    connect();
    await().until(() -> cri.asked("GetContainerEvents") == 1);
    int looks = cri.asked("ListContainers");
    await().during(Duration.ofSeconds(1)).until(() -> cri.asked("ListContainers") <= looks + 2);
  }

  @Test
  @DisplayName("a stream of events that breaks off is opened again, one that is refused is not")
  void eventsAgain() {
    cri.on(
        "GetContainerEvents",
        call -> {
          call.begin();
          call.message(new byte[0]);
          call.end(14, "restarting");
        });
    connect();
    await().until(() -> cri.asked("GetContainerEvents") >= 3);

    AtomicInteger refusals = new AtomicInteger();
    cri.on(
        "GetContainerEvents",
        call -> {
          refusals.incrementAndGet();
          call.fail(12, "unknown method");
        });
    await().until(() -> refusals.get() > 0);
    int looks = cri.asked("ListContainers");
    await().until(() -> cri.asked("ListContainers") >= looks + 4);
    assertThat(refusals).hasValue(1);
  }

  @Test
  @DisplayName("closing leaves no thread, no socket and nobody told")
  void closing() throws Exception {
    connect();
    runtime.close();
    runtime.close();
    int told = pods.told();
    cri.containers.clear();
    cri.sandboxes.clear();

    await().until(() -> openSockets() == 0);
    assertThat(pods.told()).isEqualTo(told);
    assertThatThrownBy(this::exec).isInstanceOf(ContainerRuntimeException.class);
  }

  /** The kernel lists a connected unix socket at its listener's path. */
  private long openSockets() throws Exception {
    try (Stream<String> lines = Files.lines(Path.of("/proc/net/unix"))) {
      return lines.filter(line -> line.endsWith(" " + socket) && line.contains(" 03 ")).count();
    }
  }
}
