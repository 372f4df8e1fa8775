package io.probelet.monitor.log;

import static org.assertj.core.api.Assertions.assertThat;

import io.probelet.monitor.track.PodCgroup;
import io.probelet.monitor.track.PodTrace;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class OomLinesTest {
  private static final String UID = "3f0f5a0e-0ae0-4c36-b3f0-7f3a5a3f4c11";
  private static final String ID = "0123456789abcdef".repeat(4);
  private static final String SYSTEMD =
      "/kubepods.slice/kubepods-burstable.slice/kubepods-burstable-pod"
          + UID.replace('-', '_')
          + ".slice/cri-containerd-"
          + ID
          + ".scope";
  private static final String KILLED =
      "Memory cgroup out of memory: Killed process 812 (java) total-vm:1kB, anon-rss:1kB";

  private static String decision(String path, int pid) {
    return ("oom-kill:constraint=CONSTRAINT_MEMCG,nodemask=(null),cpuset=cri,mems_allowed=0,"
            + "oom_memcg=%s,task_memcg=%s,task=ja,va,pid=%d,uid=0")
        .formatted(path, path, pid);
  }

  private static Optional<PodTrace> pod(String path) {
    return PodCgroup.of(path).map(PodCgroup::pod);
  }

  @ParameterizedTest
  @CsvSource({
    "/kubepods/burstable/pod{uid}, /{id}, {id}",
    "/kubepods/pod{uid}, /{id}/init.scope, {id}",
    "/kubepods.slice/kubepods-pod{uid_}.slice, /crio-{id}.scope, {id}",
    "/kubepods.slice/kubepods-besteffort.slice/kubepods-besteffort-pod{uid_}.slice, '', ''",
    "/kubelet.slice/kubelet-kubepods.slice/kubelet-kubepods-pod{uid_}.slice, /docker-{id}.scope, {id}",
    "/system.slice/containerd.service/kubepods-burstable-pod{uid_}.slice:cri-containerd:{id}, '', {id}",
    "/docker/{id}/kubelet/kubepods/besteffort/pod{uid}, /{id}, {id}",
    "/kubepods/burstable/pod{uid}, /{id}/kubepods/pod{other}/{id}, {id}",
    "/kubepods/burstable/pod{uid}, /x/{id}, ''",
  })
  @DisplayName("B-10 a cgroup path names pod and container, for both drivers, from its start")
  void paths(String pod, String below, String id) {
    UnaryOperator<String> full =
        text ->
            text.replace("{uid}", UID)
                .replace("{uid_}", UID.replace('-', '_'))
                .replace("{other}", UID.replace('0', '1'))
                .replace("{id}", ID);
    assertThat(PodCgroup.of(full.apply(pod + below)))
        .contains(new PodCgroup(new PodTrace(UID, full.apply(id)), full.apply(pod)));
  }

  @Test
  @DisplayName("B-10 static pods have uids without dashes; other paths name no pod")
  void others() {
    String hash = "0123456789abcdef0123456789abcdef";
    assertThat(pod("/kubepods/pod" + hash + "/" + ID)).contains(new PodTrace(hash, ID));
    assertThat(pod("/system.slice/containerd.service")).isEmpty();
    assertThat(pod("/user.slice/pod" + UID)).isEmpty();
    assertThat(pod("/user.slice/user-1000.slice/kubepods/pod" + UID)).isEmpty();
    assertThat(pod("|kubepods|pod" + UID)).isEmpty();
    assertThat(pod("/kubepods/x kubepods|pod" + UID)).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "oom-kill:constraint=CONSTRAINT_MEMCG,nodemask=(null),cpuset=cri,mems_allowed=0,"
            + "oom_memcg={path},task_memcg={path},task=ja,va,pid=812,uid=0",
        "oom-kill:constraint=CONSTRAINT_NONE,nodemask=(null),cpuset=/,mems_allowed=0-1,"
            + "global_oom,task_memcg={path},task=,pid=9,uid=9,pid=812,uid=65534",
        "oom-kill:constraint=CONSTRAINT_CPUSET,nodemask=0,2-3,cpuset=a b,mems_allowed=0,"
            + "global_oom,task_memcg={path},task=java,pid=812,uid=0",
      })
  @DisplayName("B-10 the killed process belongs to the container of an earlier record")
  void victim(String decision) {
    OomLines lines = new OomLines();
    assertThat(lines.victim(KILLED)).isEmpty();
    lines.take(decision.replace("{path}", SYSTEMD));
    lines.take("something else");
    assertThat(lines.victim(KILLED).map(PodCgroup::pod)).contains(new PodTrace(UID, ID));
    assertThat(lines.victim(KILLED.replace("812", "813"))).isEmpty();
    assertThat(lines.victim("x[1]: segfault in " + KILLED)).isEmpty();
    assertThat(lines.victim("oops")).isEmpty();
    lines.take(decision.replace("{path}", "/system.slice/x.service"));
    assertThat(lines.victim(KILLED)).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "x[1]: segfault at 0 ip 0 sp 0 error 4 in {decision}[1000+1000]",
        "tmpfs: Unknown parameter '{decision}'",
        "x {decision}",
        "{decision} x",
        "oom-kill:constraint=CONSTRAINT_MEMCG,nodemask=(null),cpuset=x,{decision}",
        "oom-kill:constraint=CONSTRAINT_MEMCG,nodemask=(null),"
            + "cpuset=x,mems_allowed=0,global_oom,task_memcg={path},task=a,pid=812,uid=0"
            + ",mems_allowed=0,global_oom,task_memcg=/,task=b,pid=1,uid=0",
        "oom-kill:task_memcg={path},task=x,pid=812",
      })
  @DisplayName("B-10 text inside another record is a name that a process chose")
  void forged(String line) {
    OomLines lines = new OomLines();
    lines.take(line.replace("{decision}", decision(SYSTEMD, 812)).replace("{path}", SYSTEMD));
    assertThat(lines.victim(KILLED)).isEmpty();
  }

  @Test
  @DisplayName("B-10 all processes of a killed group belong to one container")
  void group() {
    OomLines lines = new OomLines();
    lines.take(decision(SYSTEMD, 812));
    lines.take("Tasks in " + SYSTEMD + " are going to be killed due to memory.oom.group set");
    assertThat(lines.victim(KILLED.replace("812", "900")).map(PodCgroup::pod))
        .contains(new PodTrace(UID, ID));
  }
}
