package io.probelet.runtime.cri;

import static io.probelet.runtime.cri.CriFixture.LONG;
import static io.probelet.runtime.cri.CriFixture.WEB;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

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
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** The adapter against a runtime that does what each test says, on a real socket. */
@Execution(ExecutionMode.CONCURRENT) // most of its time is waiting
class CriRuntimeTest {
  private static final Duration SHORT = Duration.ofMillis(300);

  /** Looks often, and takes nobody for away who is only slow. */
  private static final CriOptions QUICK = options(Duration.ofMillis(200));

  @TempDir Path directory;
  private CriFixture node;

  @BeforeEach
  void start() {
    node = new CriFixture(directory);
  }

  @AfterEach
  void stop() {
    node.close();
  }

  private static CriOptions options(Duration relistPeriod) {
    return new CriOptions("127.0.0.1", relistPeriod, LONG, LONG, LONG, 8, LONG, Path.of("/"));
  }

  private void connect(CriOptions options) {
    node.connect(SystemClock.INSTANCE, options);
  }

  private void connect() {
    connect(QUICK);
    node.awaitContainer();
  }

  private ExecResult exec() throws Exception {
    return node.exec(LONG);
  }

  static Stream<Supplier<IoHandlerFactory>> transports() {
    return Stream.of(EpollIoHandler::newFactory, NioIoHandler::newFactory);
  }

  @ParameterizedTest
  @DisplayName("a unix socket is reached by epoll and by NIO")
  @MethodSource("transports")
  void transport(Supplier<IoHandlerFactory> transport) throws Exception {
    EventLoopGroup group = new MultiThreadIoEventLoopGroup(1, transport.get());
    try (CriRuntime own = CriRuntime.connect(node.socket, group, SystemClock.INSTANCE, QUICK)) {
      await().until(own::connected);
      assertThat(own.stats().runtime()).isEqualTo("fake 1");
    } finally {
      group.shutdownGracefully(0, 1, TimeUnit.SECONDS).sync();
    }
  }

  @Test
  @DisplayName("a listener that fails with one pod is told of the others all the same")
  void listenerFails() {
    node.cri.sandboxes.put("s2", Listed.sandbox("s2", "db"));
    List<String> told = new CopyOnWriteArrayList<>();
    node.runtime = CriRuntime.connect(node.socket, node.loops, SystemClock.INSTANCE, QUICK);
    node.runtime.watch(
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
    assertThat(node.pods.get(WEB).ips()).containsExactly("10.0.0.1");

    node.cri.containers.put("c2", Listed.running("c2", "s1", "app", 1));
    node.pods.until(WEB, "app", each -> each.id().equals("c2") && each.restartCount() == 1);

    ObservedPods newcomer = new ObservedPods();
    node.runtime.watch(newcomer);
    newcomer.until(WEB, "app", ContainerObservation::running);

    node.cri.containers.clear();
    node.cri.sandboxes.clear();
    await().until(() -> newcomer.get(WEB) == null);
  }

  @Test
  @DisplayName("a thousand containers cost one list a period, and one question each when new")
  void relistCost() {
    for (int i = 0; i < 1000; i++) {
      node.cri.sandboxes.put("s" + i, Listed.sandbox("s" + i, "pod" + i));
      node.cri.containers.put("c" + i, Listed.running("c" + i, "s" + i, "app", 0));
    }
    connect(options(Duration.ofMillis(50)));
    await().until(() -> node.pods.size() == 1000);
    int lists = node.cri.asked("ListContainers");
    await().until(() -> node.cri.asked("ListContainers") >= lists + 3);

    assertThat(node.cri.asked("ContainerStatus")).isEqualTo(1000);
    assertThat(node.cri.asked("PodSandboxStatus")).isEqualTo(1000);
    assertThat(node.pods.told()).isEqualTo(1000);
  }

  @Test
  @DisplayName("a container the runtime forgot between list and question is left for the next look")
  void forgotten() {
    AtomicInteger refusals = new AtomicInteger();
    node.cri.on(
        "ContainerStatus",
        call -> {
          refusals.incrementAndGet();
          call.fail(5, "no such container");
        });
    connect(QUICK);
    node.pods.until(WEB, "app", each -> each.reason().equals("ContainerStatusUnknown"));
    await().until(() -> refusals.get() >= 3);

    assertThat(node.runtime.connected()).isTrue();
  }

  @Test
  @DisplayName("a listener that throws does not end the watch")
  void brokenListener() {
    AtomicInteger told = new AtomicInteger();
    node.runtime = CriRuntime.connect(node.socket, node.loops, SystemClock.INSTANCE, QUICK);
    node.runtime.watch(
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
    node.cri.containers.put("c2", Listed.running("c2", "s1", "app", 1));
    await().until(() -> told.get() == 2);
  }

  @Test
  @DisplayName("a runtime that is not there is no error, and is found when it comes")
  void lateRuntime() {
    node.cri.close();
    connect(QUICK);
    await().until(() -> node.runtime.stats().problem().startsWith("connect to " + node.socket));
    assertThat(node.runtime.stats().problem()).endsWith(": no such file or directory");
    assertThat(node.runtime.connected()).isFalse();
    assertThatThrownBy(this::exec)
        .isInstanceOf(ContainerRuntimeException.class)
        .hasMessage("ExecSync: not connected to " + node.socket);

    node.startRuntime();
    await().until(node.runtime::connected);
  }

  @Test
  @DisplayName("a runtime that comes back after a while is found, for pauses stay short")
  void foundAgain() {
    assertThat(PodWatch.BACKOFF.after(LONG)).isLessThanOrEqualTo(Duration.ofSeconds(1));
    connect();
    node.cri.close();
    await().until(() -> !node.runtime.connected());
    node.startRuntime();
    await().until(node.runtime::connected);
  }

  @Test
  @DisplayName("while the runtime is away what was seen stays, and commands fail as its fault")
  void restart() throws Exception {
    connect();
    CompletableFuture<Throwable> underWay = new CompletableFuture<>();
    node.cri.on("ExecSync", _ -> {});
    Thread.ofVirtual()
        .start(() -> {
          try {
            underWay.complete(new AssertionError(exec().toString()));
          } catch (Exception failure) {
            underWay.complete(failure);
          }
        });
    await().until(() -> node.cri.asked("ExecSync") == 1);
    int told = node.pods.told();
    node.cri.close();

    assertThat(underWay.get(1, TimeUnit.MINUTES)).isInstanceOf(ContainerRuntimeException.class);
    await().until(() -> !node.runtime.connected());
    assertThatThrownBy(this::exec).isInstanceOf(ContainerRuntimeException.class);
    assertThat(node.pods.container(WEB, "app").running()).isTrue();
    assertThat(node.pods.told()).isEqualTo(told);

    node.startRuntime();
    node.cri.containers.put("c2", Listed.running("c2", "s1", "app", 1));
    node.pods.until(WEB, "app", each -> each.id().equals("c2"));
    assertThat(node.runtime.stats().disconnects()).isEqualTo(1);
    assertThat(node.runtime.stats().execs().running()).isZero();
  }

  @Test
  @DisplayName("a runtime that does not answer counts as away until it does")
  void slow() {
    connect(
        new CriOptions(
            "127.0.0.1", Duration.ofMillis(200), SHORT, LONG, LONG, 8, LONG, Path.of("/")));
    node.pods.until(WEB, "app", ContainerObservation::running);
    node.cri.on("ListContainers", _ -> {});
    String problem = "ListContainers: " + node.socket + " did not answer within 300ms";
    await().until(() -> node.runtime.stats().problem().equals(problem));
    assertThat(node.runtime.connected()).isFalse();
    assertThat(node.pods.container(WEB, "app").running()).isTrue();

    node.cri.close();
    node.startRuntime();
    await().until(node.runtime::connected);
  }

  @Test
  @DisplayName("an answer that is no message counts as away")
  void brokenMessage() {
    connect();
    node.cri.on("ListContainers", call -> call.reply(new byte[] {0x0a, 0x7f, 1, 2, 3}));
    await().until(() -> !node.runtime.connected());

    assertThat(node.runtime.stats().problem())
        .startsWith("ListContainers: invalid response from the runtime");
    assertThat(node.pods.container(WEB, "app").running()).isTrue();
  }

  @Test
  @DisplayName(
      "a well-formed answer that makes no sense counts as away, until there is a better one")
  void nonsense() {
    connect();
    node.cri.containers.put("", Listed.running("", "s1", "nameless", 0));
    await().until(() -> !node.runtime.connected());
    assertThat(node.runtime.stats().problem())
        .isEqualTo(
            "invalid response from the runtime: a running container has an id and a start time");
    assertThat(node.pods.container(WEB, "app").running()).isTrue();

    node.cri.containers.remove("");
    node.cri.containers.put("c2", Listed.running("c2", "s1", "app", 1));
    node.pods.until(WEB, "app", each -> each.id().equals("c2"));
    await().until(node.runtime::connected);
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
    node.cri.on("ExecSync", none);
    assertThatThrownBy(this::exec)
        .isInstanceOf(ContainerRuntimeException.class)
        .hasMessage("ExecSync: invalid response from the runtime: not an ExecSyncResponse");

    node.cri.on("ListContainers", none);
    await().until(() -> !node.runtime.connected());

    assertThat(node.runtime.stats().problem())
        .isEqualTo("ListContainers: invalid response from the runtime: OK without a message");
    assertThat(node.pods.container(WEB, "app").running()).isTrue();
  }

  @Test
  @DisplayName("a socket that speaks something else is reported as that")
  void garbage() throws Exception {
    Path other = directory.resolve("other.sock");
    try (ServerSocketChannel listener = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
      listener.bind(UnixDomainSocketAddress.of(other));
      Thread.ofVirtual().start(() -> greetAll(listener));
      node.socket = other;
      connect(QUICK);
      await()
          .until(() ->
              node.runtime
                  .stats()
                  .problem()
                  .contains("not an HTTP/2 server: its response starts with"));
      assertThat(node.runtime.connected()).isFalse();
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
    node.cri.on(
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

    assertThat(node.exec(Duration.ofMillis(61_200))).isEqualTo(new Exited(3, "outerr"));
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
    node.cri.on("ExecSync", call -> call.reply(message));

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
    node.cri.on("ExecSync", call -> call.fail(code, text));
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
    node.cri.on("ExecSync", calls::add);
    List<CompletableFuture<ExecResult>> results =
        Stream.generate(
                () -> CompletableFuture.supplyAsync(this::slowExec, Thread::startVirtualThread))
            .limit(5)
            .toList();
    await().until(() -> node.runtime.stats().execs().waiting() == 3 && calls.size() == 2);
    assertThat(node.runtime.stats().execs().running()).isEqualTo(2);

    for (int i = 0; i < 5; i++) {
      Call call = calls.poll(1, TimeUnit.MINUTES);
      call.stream().executor().execute(() -> call.reply(ExecSyncResponse.getDefaultInstance()));
    }
    for (CompletableFuture<ExecResult> result : results) {
      assertThat(result.get(1, TimeUnit.MINUTES)).isEqualTo(new Exited(0, ""));
    }
    CriStats.Execs execs = node.runtime.stats().execs();
    assertThat(execs.running()).isZero();
    assertThat(execs.limit()).isEqualTo(8);
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
    node.cri.on("ExecSync", _ -> {});
    for (int i = 0; i < 2; i++) {
      CompletableFuture.supplyAsync(this::slowExec, Thread::startVirtualThread);
    }
    await().until(() -> node.runtime.stats().execs().running() == 2);
    CompletableFuture<Class<?>> thrown = new CompletableFuture<>();
    Thread third =
        Thread.startVirtualThread(() -> {
          try {
            exec();
          } catch (Exception failed) {
            thrown.complete(failed.getClass());
          }
        });
    await().until(() -> node.runtime.stats().execs().waiting() == 1);
    third.interrupt();

    assertThat(thrown.get(1, TimeUnit.MINUTES)).isEqualTo(InterruptedException.class);
    assertThat(node.runtime.stats().execs().waiting()).isZero();
  }

  @Test
  @DisplayName("stopping passes the grace on, in whole seconds, and looks at once what came of it")
  void stopping() throws Exception {
    connect(options(Duration.ofHours(1)));
    node.pods.until(WEB, "app", ContainerObservation::running);
    node.cri.on(
        "StopContainer",
        call -> {
          StopContainerRequest request = StopContainerRequest.parseFrom(call.request());
          assertThat(request.getContainerId()).isEqualTo("c1");
          assertThat(request.getTimeout()).isEqualTo(3);
          node.cri.containers.put(
              "c1", Listed.container("c1", "s1", "app", ContainerState.CONTAINER_EXITED, 0));
          call.reply(StopContainerResponse.getDefaultInstance());
        });
    node.runtime.stop("c1", Duration.ofMillis(2500));
    node.pods.until(WEB, "app", each -> each.exitCode() == 137);
  }

  @Test
  @DisplayName("a container the runtime does not know is stopped; any other trouble is told")
  void stopTrouble() throws Exception {
    connect();
    node.cri.on("StopContainer", call -> call.fail(5, "not found"));
    node.runtime.stop("c9", Duration.ZERO);

    node.cri.on("StopContainer", call -> call.fail(13, "shim is gone"));
    assertThatThrownBy(() -> node.runtime.stop("c1", Duration.ZERO))
        .isInstanceOf(ContainerRuntimeException.class)
        .hasMessage("StopContainer: rpc error: code = Internal desc = shim is gone");
  }

  @Test
  @DisplayName("an event is looked into at once")
  void events() {
    BlockingQueue<Call> streams = new ArrayBlockingQueue<>(1);
    node.cri.on(
        "GetContainerEvents",
        call -> {
          call.begin();
          streams.add(call);
        });
    connect(options(Duration.ofHours(1)));
    node.pods.until(WEB, "app", ContainerObservation::running);
    await().until(() -> !streams.isEmpty());

    node.cri.containers.put("c2", Listed.running("c2", "s1", "app", 1));
    Call stream = streams.remove();
    stream.stream()
        .executor()
        .execute(() ->
            stream.message(
                ContainerEventResponse.newBuilder().setContainerId("c2").build().toByteArray()));
    node.pods.until(WEB, "app", each -> each.id().equals("c2"));
  }

  @Test
  @DisplayName("with events that come there are fewer looks; without them every period has one")
  void eventsSlowTheLooks() {
    node.cri.on(
        "GetContainerEvents",
        call -> {
          call.begin();
          call.message(new byte[0]);
        });
    connect();
    await().until(() -> node.cri.asked("GetContainerEvents") == 1);
    int looks = node.cri.asked("ListContainers");
    await()
        .during(Duration.ofSeconds(1))
        .until(() -> node.cri.asked("ListContainers") <= looks + 2);
  }

  @Test
  @DisplayName("a stream of events that breaks off is opened again, one that is refused is not")
  void eventsAgain() {
    node.cri.on(
        "GetContainerEvents",
        call -> {
          call.begin();
          call.message(new byte[0]);
          call.end(14, "restarting");
        });
    connect();
    await().until(() -> node.cri.asked("GetContainerEvents") >= 3);

    AtomicInteger refusals = new AtomicInteger();
    node.cri.on(
        "GetContainerEvents",
        call -> {
          refusals.incrementAndGet();
          call.fail(12, "unknown method");
        });
    await().until(() -> refusals.get() > 0);
    int looks = node.cri.asked("ListContainers");
    await().until(() -> node.cri.asked("ListContainers") >= looks + 4);
    assertThat(refusals).hasValue(1);
  }

  @Test
  @DisplayName("closing leaves no thread, no socket and nobody told")
  void closing() throws Exception {
    connect();
    node.runtime.close();
    node.runtime.close();
    int told = node.pods.told();
    node.cri.containers.clear();
    node.cri.sandboxes.clear();

    await().until(() -> openSockets() == 0);
    assertThat(node.pods.told()).isEqualTo(told);
    assertThatThrownBy(this::exec).isInstanceOf(ContainerRuntimeException.class);
  }

  /** The kernel lists a connected unix socket at its listener's path. */
  private long openSockets() throws Exception {
    try (Stream<String> lines = Files.lines(Path.of("/proc/net/unix"))) {
      return lines
          .filter(line -> line.endsWith(" " + node.socket) && line.contains(" 03 "))
          .count();
    }
  }
}
