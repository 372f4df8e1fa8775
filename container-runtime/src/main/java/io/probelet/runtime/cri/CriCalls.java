package io.probelet.runtime.cri;

import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.MessageLite;
import com.google.protobuf.Parser;
import io.probelet.health.FailureReason;
import io.probelet.probe.grpc.GrpcCode;
import io.probelet.probe.runtime.ContainerRuntimeException;
import io.probelet.runtime.cri.v1.Container;
import io.probelet.runtime.cri.v1.ContainerState;
import io.probelet.runtime.cri.v1.ContainerStatus;
import io.probelet.runtime.cri.v1.ContainerStatusRequest;
import io.probelet.runtime.cri.v1.ContainerStatusResponse;
import io.probelet.runtime.cri.v1.ListContainersRequest;
import io.probelet.runtime.cri.v1.ListPodSandboxRequest;
import io.probelet.runtime.cri.v1.PodSandbox;
import io.probelet.runtime.cri.v1.PodSandboxStatus;
import io.probelet.runtime.cri.v1.PodSandboxStatusRequest;
import io.probelet.runtime.cri.v1.PodSandboxStatusResponse;
import io.probelet.runtime.cri.v1.RuntimeStatus;
import io.probelet.runtime.cri.v1.StatusRequest;
import io.probelet.runtime.cri.v1.StatusResponse;
import io.probelet.runtime.cri.v1.StopContainerRequest;
import io.probelet.runtime.cri.v1.VersionRequest;
import io.probelet.runtime.cri.v1.VersionResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.function.Function;

/** Blocking calls to the runtime. */
final class CriCalls {
  /** Maximum number of concurrent detail requests; a runtime serves each on its own thread. */
  private static final int AT_ONCE = 64;

  /**
   * Maximum size of a response with a container's whole specification, which the pod's author
   * controls.
   */
  static final int MAX_VERBOSE_BYTES = 1 << 20;

  private final CriConnection connection;
  private final Duration timeout;
  private final ListReader<PodSandbox> sandboxes = ListReader.sandboxes();
  private final ListReader<Container> containers = ListReader.containers();

  /**
   * Creates the calls.
   *
   * @param timeout default timeout of a call
   */
  CriCalls(CriConnection connection, Duration timeout) {
    this.connection = connection;
    this.timeout = timeout;
  }

  void connect() throws ContainerRuntimeException, InterruptedException {
    await(connection.connect());
  }

  VersionResponse version() throws ContainerRuntimeException, InterruptedException {
    VersionRequest request = VersionRequest.newBuilder().setVersion("v1").build();
    return whole("Version", request, timeout, VersionResponse.parser());
  }

  RuntimeStatus status() throws ContainerRuntimeException, InterruptedException {
    StatusRequest request = StatusRequest.getDefaultInstance();
    return whole("Status", request, timeout, StatusResponse.parser()).getStatus();
  }

  /**
   * Lists all sandboxes; an unchanged sandbox is the same object as last time. One call at a time.
   */
  List<PodSandbox> sandboxes() throws ContainerRuntimeException, InterruptedException {
    return list("ListPodSandbox", ListPodSandboxRequest.getDefaultInstance(), sandboxes);
  }

  /**
   * Lists all containers; an unchanged container is the same object as last time. One call at a
   * time.
   */
  List<Container> containers() throws ContainerRuntimeException, InterruptedException {
    return list("ListContainers", ListContainersRequest.getDefaultInstance(), containers);
  }

  private <T> List<T> list(String method, MessageLite request, ListReader<T> reader)
      throws ContainerRuntimeException, InterruptedException {
    Sink.Whole sink = new Sink.Whole(reader.expectedLength());
    byte[] answer = await(connection.call(method, request, timeout, sink));
    try {
      return reader.read(answer);
    } catch (InvalidProtocolBufferException broken) {
      throw broken(method, broken);
    }
  }

  /** Requests the status of several sandboxes; those without a response are omitted. */
  List<PodSandboxStatus> sandboxStatuses(List<String> ids)
      throws ContainerRuntimeException, InterruptedException {
    return each(
            "PodSandboxStatus",
            ids,
            id -> PodSandboxStatusRequest.newBuilder().setPodSandboxId(id).build(),
            PodSandboxStatusResponse.parser())
        .stream()
        .map(PodSandboxStatusResponse::getStatus)
        .toList();
  }

  /** Requests the status of several containers; those without a response are omitted. */
  List<ContainerStatus> containerStatuses(List<String> ids)
      throws ContainerRuntimeException, InterruptedException {
    return each(
            "ContainerStatus",
            ids,
            id -> ContainerStatusRequest.newBuilder().setContainerId(id).build(),
            ContainerStatusResponse.parser())
        .stream()
        .map(ContainerStatusResponse::getStatus)
        .toList();
  }

  /** {@return whether a container runs; false if the runtime does not know it} */
  boolean runs(String containerId) throws ContainerRuntimeException, InterruptedException {
    ContainerStatusRequest request =
        ContainerStatusRequest.newBuilder().setContainerId(containerId).build();
    try {
      return whole("ContainerStatus", request, timeout, ContainerStatusResponse.parser())
              .getStatus()
              .getState()
          == ContainerState.CONTAINER_RUNNING;
    } catch (CallFailedException failed) {
      if (!failed.status().is(GrpcCode.NOT_FOUND)) {
        throw failed;
      }
      return false;
    }
  }

  /** {@return where the kernel has a container; empty if the runtime does not say} */
  Optional<ContainerCgroup> cgroup(String containerId)
      throws ContainerRuntimeException, InterruptedException {
    ContainerStatusRequest request =
        ContainerStatusRequest.newBuilder().setContainerId(containerId).setVerbose(true).build();
    Sink.Whole sink = Sink.Whole.upTo(MAX_VERBOSE_BYTES);
    byte[] answer = await(connection.call("ContainerStatus", request, timeout, sink));
    return ContainerCgroup.of(
        parse("ContainerStatus", answer, ContainerStatusResponse.parser())
            .getInfoOrDefault("info", ""));
  }

  /** Stops a container; one that the runtime does not know counts as stopped. */
  void stop(String containerId, long graceSeconds, Duration within)
      throws ContainerRuntimeException, InterruptedException {
    StopContainerRequest request =
        StopContainerRequest.newBuilder()
            .setContainerId(containerId)
            .setTimeout(graceSeconds)
            .build();
    try {
      await(connection.call("StopContainer", request, within, new Sink.Whole()));
    } catch (CallFailedException failed) {
      if (!failed.status().is(GrpcCode.NOT_FOUND)) {
        throw failed;
      }
    }
  }

  private <T> T whole(String method, MessageLite request, Duration within, Parser<T> parser)
      throws ContainerRuntimeException, InterruptedException {
    byte[] message = await(connection.call(method, request, within, new Sink.Whole()));
    return parse(method, message, parser);
  }

  private <T> List<T> each(
      String method, List<String> ids, Function<String, MessageLite> request, Parser<T> parser)
      throws ContainerRuntimeException, InterruptedException {
    List<T> answers = new ArrayList<>(ids.size());
    for (int from = 0; from < ids.size(); from += AT_ONCE) {
      List<CompletableFuture<byte[]>> calls =
          ids.subList(from, Math.min(ids.size(), from + AT_ONCE)).stream()
              .map(id -> connection.call(method, request.apply(id), timeout, new Sink.Whole()))
              .toList();
      for (CompletableFuture<byte[]> call : calls) {
        try {
          answers.add(parse(method, await(call), parser));
        } catch (CallFailedException failed) {
          // the connection failed, not this one call
          if (failed.status().is(GrpcCode.UNAVAILABLE)) {
            throw failed;
          }
        }
      }
    }
    return answers;
  }

  private static <T> T parse(String method, byte[] message, Parser<T> parser)
      throws ContainerRuntimeException {
    try {
      return parser.parseFrom(message);
    } catch (InvalidProtocolBufferException broken) {
      throw broken(method, broken);
    }
  }

  /** Returns the error for an invalid response. */
  static ContainerRuntimeException broken(String method, InvalidProtocolBufferException why) {
    return new ContainerRuntimeException(
        method + ": invalid response from the runtime: " + why.getMessage(), why);
  }

  /** Waits for a call to end; the call's own timeout limits the wait. */
  static <T> T await(CompletableFuture<T> call)
      throws ContainerRuntimeException, InterruptedException {
    try {
      return call.get();
    } catch (ExecutionException failed) {
      throw reason(failed);
    }
  }

  /** The result of a call. */
  static ContainerRuntimeException reason(ExecutionException failed) {
    return failed.getCause() instanceof ContainerRuntimeException known
        ? known
        : new ContainerRuntimeException("call failed: " + FailureReason.of(failed), failed);
  }
}
