package io.probelet.monitor.log;

import static org.assertj.core.api.Assertions.assertThat;

import io.probelet.monitor.track.PodTrace;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

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

  @ParameterizedTest
  @CsvSource({
    "/kubepods/burstable/pod{uid}/{id}, {id}",
    "/kubepods/pod{uid}/{id}/init.scope, {id}",
    "/kubepods.slice/kubepods-pod{uid_}.slice/crio-{id}.scope, {id}",
    "/kubepods.slice/kubepods-besteffort.slice/kubepods-besteffort-pod{uid_}.slice, ''",
    "/kubelet.slice/kubelet-kubepods.slice/kubelet-kubepods-pod{uid_}.slice/docker-{id}.scope, {id}",
  })
  @DisplayName("B-10 the path of a cgroup tells pod and container, by either driver")
  void paths(String path, String id) {
    String full =
        path.replace("{uid}", UID).replace("{uid_}", UID.replace('-', '_')).replace("{id}", ID);
    assertThat(PodTrace.of(full)).contains(new PodTrace(UID, id.isEmpty() ? "" : ID));
  }

  @Test
  @DisplayName("B-10 pods from files have uids without dashes; what is no pod's is none")
  void others() {
    String hash = "0123456789abcdef0123456789abcdef";
    assertThat(PodTrace.of("/kubepods/pod" + hash + "/" + ID)).contains(new PodTrace(hash, ID));
    assertThat(PodTrace.of("/system.slice/containerd.service")).isEmpty();
    assertThat(PodTrace.of("/user.slice/pod" + UID)).isEmpty();
  }

  @Test
  @DisplayName("B-10 the killed process is a container's if the line before said so of it")
  void victim() {
    OomLines lines = new OomLines();
    assertThat(lines.victim(KILLED)).isEmpty();
    lines.take(decision(SYSTEMD, 812));
    lines.take("something else");
    assertThat(lines.victim(KILLED)).contains(new PodTrace(UID, ID));
    assertThat(lines.victim(KILLED.replace("812", "813"))).isEmpty();
    assertThat(lines.victim("oops")).isEmpty();
    lines.take(decision("/system.slice/x.service", 812));
    assertThat(lines.victim(KILLED)).isEmpty();
  }

  @Test
  @DisplayName("B-10 a whole group that is killed is one container's, all processes of it")
  void group() {
    OomLines lines = new OomLines();
    lines.take(decision(SYSTEMD, 812));
    lines.take("Tasks in " + SYSTEMD + " are going to be killed due to memory.oom.group set");
    assertThat(lines.victim(KILLED.replace("812", "900"))).contains(new PodTrace(UID, ID));
  }
}
