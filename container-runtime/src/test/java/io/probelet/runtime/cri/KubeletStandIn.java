package io.probelet.runtime.cri;

import com.google.protobuf.MessageLite;
import io.netty.channel.EventLoop;
import io.probelet.probe.PodRef;
import io.probelet.probe.runtime.ContainerRuntimeException;
import io.probelet.runtime.cri.kubelet.ContainerConfig;
import io.probelet.runtime.cri.kubelet.ContainerRequest;
import io.probelet.runtime.cri.kubelet.CreateContainerRequest;
import io.probelet.runtime.cri.kubelet.CreateContainerResponse;
import io.probelet.runtime.cri.kubelet.ImageSpec;
import io.probelet.runtime.cri.kubelet.KeyValue;
import io.probelet.runtime.cri.kubelet.LinuxContainerConfig;
import io.probelet.runtime.cri.kubelet.LinuxContainerResources;
import io.probelet.runtime.cri.kubelet.LinuxContainerSecurityContext;
import io.probelet.runtime.cri.kubelet.LinuxPodSandboxConfig;
import io.probelet.runtime.cri.kubelet.LinuxSandboxSecurityContext;
import io.probelet.runtime.cri.kubelet.Metadata;
import io.probelet.runtime.cri.kubelet.Mode;
import io.probelet.runtime.cri.kubelet.NamespaceOptions;
import io.probelet.runtime.cri.kubelet.PodSandboxConfig;
import io.probelet.runtime.cri.kubelet.RunPodSandboxRequest;
import io.probelet.runtime.cri.kubelet.RunPodSandboxResponse;
import io.probelet.runtime.cri.kubelet.SandboxMetadata;
import io.probelet.runtime.cri.kubelet.SandboxRequest;
import io.probelet.runtime.cri.v1.Container;
import io.probelet.runtime.cri.v1.ContainerState;
import io.probelet.runtime.cri.v1.ExecSyncRequest;
import io.probelet.runtime.cri.v1.ExecSyncResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Does with a runtime what a kubelet does for pods: makes sandboxes and containers, and a new
 * container wherever one has ended.
 */
public final class KubeletStandIn implements AutoCloseable {
  private static final long CPU_PERIOD = 100_000;
  private static final Duration CALL = Duration.ofMinutes(1);

  private final CriConnection connection;
  private final CriCalls calls;
  private final Map<String, Pod> pods = new ConcurrentHashMap<>();
  private final CountDownLatch closed = new CountDownLatch(1);

  /** A pod and how its containers are made again, by their names. */
  private record Pod(PodSandboxConfig config, String sandbox, Map<String, Program> programs) {}

  /** What a container runs; without a command of its own it is what the image says. */
  private record Program(
      String image,
      List<String> command,
      List<String> args,
      Map<String, String> environment,
      ContainerAccess access) {
    static Program busybox(String... command) {
      return new Program(
          BusyboxImage.NAME, List.of(command), List.of(), Map.of(), ContainerAccess.NONE);
    }
  }

  /** Of containers by name, in thousandths of a core. */
  private final Map<String, Long> cpuMillis = new ConcurrentHashMap<>();

  public KubeletStandIn(Path socket, EventLoop loop) throws Exception {
    connection = new CriConnection(socket, loop, () -> {});
    calls = new CriCalls(connection, CALL);
    calls.connect();
  }

  /** Makes a pod in the host's network, without containers. */
  public PodRef pod(String name) throws Exception {
    return pod(new PodRef("default", name, name + "-uid"));
  }

  /** The same for one that somebody else has named. */
  public PodRef pod(PodRef ref) throws Exception {
    PodSandboxConfig config =
        PodSandboxConfig.newBuilder()
            .setMetadata(
                SandboxMetadata.newBuilder()
                    .setName(ref.name())
                    .setUid(ref.uid())
                    .setNamespace(ref.namespace()))
            .setLogDirectory("/tmp")
            .putAllLabels(labels(ref))
            .setLinux(
                LinuxPodSandboxConfig.newBuilder()
                    .setSecurityContext(
                        LinuxSandboxSecurityContext.newBuilder()
                            .setNamespaceOptions(
                                NamespaceOptions.newBuilder().setNetwork(Mode.NODE))))
            .build();
    RunPodSandboxRequest request = RunPodSandboxRequest.newBuilder().setConfig(config).build();
    RunPodSandboxResponse made = RunPodSandboxResponse.parseFrom(call("RunPodSandbox", request));
    pods.put(ref.uid(), new Pod(config, made.getPodSandboxId(), new ConcurrentHashMap<>()));
    return ref;
  }

  private static Map<String, String> labels(PodRef pod) {
    return Map.of(
        "io.kubernetes.pod.name", pod.name(),
        "io.kubernetes.pod.namespace", pod.namespace(),
        "io.kubernetes.pod.uid", pod.uid());
  }

  /** Starts the first instance of a container; returns its id. */
  public String container(PodRef ref, String name, String... command) throws Exception {
    Pod pod = pods.get(ref.uid());
    pod.programs().put(name, Program.busybox(command));
    return instance(pod, ref, name, 0);
  }

  /** Starts the first instance of what an image runs, on a root that is read only. */
  public String container(
      PodRef ref, String name, String image, List<String> args, Map<String, String> environment)
      throws Exception {
    return container(ref, name, image, args, environment, ContainerAccess.NONE);
  }

  /** The same with what it is given of the node. */
  public String container(
      PodRef ref,
      String name,
      String image,
      List<String> args,
      Map<String, String> environment,
      ContainerAccess access)
      throws Exception {
    Pod pod = pods.get(ref.uid());
    pod.programs().put(name, new Program(image, List.of(), args, environment, access));
    return instance(pod, ref, name, 0);
  }

  /** Containers of this name made from now on have a CPU limit. */
  public void limitCpu(String name, long millis) {
    cpuMillis.put(name, millis);
  }

  /** Makes a container without starting it; returns its id. */
  public String unstarted(PodRef ref, String name) throws Exception {
    Pod pod = pods.get(ref.uid());
    pod.programs().put(name, Program.busybox("true"));
    return create(pod, ref, name, 0);
  }

  private String instance(Pod pod, PodRef ref, String name, int attempt) throws Exception {
    String id = create(pod, ref, name, attempt);
    call("StartContainer", ContainerRequest.newBuilder().setContainerId(id).build());
    return id;
  }

  private String create(Pod pod, PodRef ref, String name, int attempt) throws Exception {
    Program program = pod.programs().get(name);
    boolean ofImage = program.command().isEmpty();
    ContainerConfig.Builder config =
        ContainerConfig.newBuilder()
            .setMetadata(Metadata.newBuilder().setName(name).setAttempt(attempt))
            .setImage(ImageSpec.newBuilder().setImage(program.image()))
            .addAllCommand(program.command())
            .addAllArgs(program.args())
            .setLinux(
                LinuxContainerConfig.newBuilder()
                    .setResources(
                        LinuxContainerResources.newBuilder()
                            .setCpuPeriod(CPU_PERIOD)
                            .setCpuQuota(cpuMillis.getOrDefault(name, 0L) * CPU_PERIOD / 1000))
                    .setSecurityContext(
                        LinuxContainerSecurityContext.newBuilder()
                            .setReadonlyRootfs(ofImage)
                            .mergeFrom(program.access().ofSecurity())))
            .putAllLabels(labels(ref))
            .putLabels("io.kubernetes.container.name", name)
            .putAnnotations("io.kubernetes.container.hash", "30cf7a7c")
            .putAnnotations("io.kubernetes.container.ports", "[{\"containerPort\":8080}]")
            .putAnnotations("io.kubernetes.container.restartCount", Integer.toString(attempt))
            .putAnnotations(
                "io.kubernetes.container.terminationMessagePath", "/dev/termination-log")
            .putAnnotations("io.kubernetes.container.terminationMessagePolicy", "File")
            .putAnnotations("io.kubernetes.pod.terminationGracePeriod", "30");
    program
        .environment()
        .forEach((key, value) -> config.addEnvs(KeyValue.newBuilder().setKey(key).setValue(value)));
    config.mergeFrom(program.access().ofContainer());
    CreateContainerRequest request =
        CreateContainerRequest.newBuilder()
            .setPodSandboxId(pod.sandbox())
            .setConfig(config)
            .setSandboxConfig(pod.config())
            .build();
    return CreateContainerResponse.parseFrom(call("CreateContainer", request)).getContainerId();
  }

  /** From now on makes a new container wherever the newest of its name has ended. */
  public void restartWhatEnds() {
    Thread.ofVirtual()
        .name("kubelet-stand-in")
        .start(() -> {
          try {
            while (!closed.await(100, TimeUnit.MILLISECONDS)) {
              restartEnded();
            }
          } catch (InterruptedException end) {
            Thread.currentThread().interrupt();
          }
        });
  }

  private void restartEnded() throws InterruptedException {
    try {
      calls.connect();
      List<Container> all = calls.containers();
      for (Map.Entry<String, Pod> each : pods.entrySet()) {
        for (String name : each.getValue().programs().keySet()) {
          restartIfEnded(each.getKey(), each.getValue(), name, all);
        }
      }
    } catch (ContainerRuntimeException away) {
      // tried again in a moment
    } catch (InterruptedException interrupted) {
      throw interrupted;
    } catch (Exception unexpected) {
      throw new AssertionError(unexpected);
    }
  }

  private void restartIfEnded(String uid, Pod pod, String name, List<Container> all)
      throws Exception {
    Container newest = null;
    for (Container each : all) {
      boolean instance =
          each.getPodSandboxId().equals(pod.sandbox()) && each.getMetadata().getName().equals(name);
      if (instance && (newest == null || newest.getCreatedAt() < each.getCreatedAt())) {
        newest = each;
      }
    }
    if (newest != null && newest.getState() == ContainerState.CONTAINER_EXITED) {
      SandboxMetadata metadata = pod.config().getMetadata();
      PodRef ref = new PodRef(metadata.getNamespace(), metadata.getName(), uid);
      instance(pod, ref, name, newest.getMetadata().getAttempt() + 1);
    }
  }

  /** Runs a program beside a container's own, as {@code kubectl exec} does. */
  public Executed exec(String containerId, String... command) throws Exception {
    ExecSyncRequest request =
        ExecSyncRequest.newBuilder()
            .setContainerId(containerId)
            .addAllCmd(List.of(command))
            .setTimeout(CALL.toSeconds())
            .build();
    ExecSyncResponse answer = ExecSyncResponse.parseFrom(call("ExecSync", request));
    return new Executed(
        answer.getExitCode(), answer.getStdout().toStringUtf8(), answer.getStderr().toStringUtf8());
  }

  /** What came of a program. */
  public record Executed(int exitCode, String out, String err) {}

  /** Ends a pod with all its containers. */
  public void remove(PodRef ref) throws Exception {
    Pod pod = pods.remove(ref.uid());
    SandboxRequest request = SandboxRequest.newBuilder().setPodSandboxId(pod.sandbox()).build();
    call("StopPodSandbox", request);
    call("RemovePodSandbox", request);
  }

  private byte[] call(String method, MessageLite request) throws Exception {
    calls.connect();
    return CriCalls.await(connection.call(method, request, CALL, new Sink.Whole()));
  }

  @Override
  public void close() {
    closed.countDown();
    connection.drop();
  }
}
