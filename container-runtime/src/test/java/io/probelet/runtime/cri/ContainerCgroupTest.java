package io.probelet.runtime.cri;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Where a container's control group is, from what containerd and CRI-O say of it. */
class ContainerCgroupTest {
  private static String info(String path) {
    return "{\"config\":{\"pid\":8},\"pid\":7,\"runtimeSpec\":{\"process\":{\"linux\":{\"cgroupsPath\":\"/no\"}},"
        + "\"linux\":{\"resources\":{\"cgroupsPath\":\"/no\"},\"cgroupsPath\":\""
        + path
        + "\"}}}";
  }

  @ParameterizedTest
  @DisplayName("reads the paths of both drivers")
  @CsvSource({
    "/kubepods/burstable/pod1/abc, kubepods/burstable/pod1/abc",
    "kubepods-burstable-pod1_2.slice:cri-containerd:abc,"
        + " kubepods.slice/kubepods-burstable.slice/kubepods-burstable-pod1_2.slice/cri-containerd-abc.scope",
    "kubepods.slice:crio:abc, kubepods.slice/crio-abc.scope",
    "/k8s.io/abc, k8s.io/abc",
  })
  void drivers(String path, String folder) {
    assertThat(ContainerCgroup.of(info(path))).contains(new ContainerCgroup(Path.of(folder), 7));
  }

  @ParameterizedTest
  @DisplayName("a path that leaves the hierarchy, or is its root, is none")
  @ValueSource(strings = {"", "/", "../../etc", "/a/../../etc", "/a/./b", "a/../b", "/.."})
  void leaves(String path) {
    assertThat(ContainerCgroup.of(info(path))).isEmpty();
  }

  @ParameterizedTest
  @DisplayName("anything else than the expected JSON says nothing")
  @ValueSource(
      strings = {
        "",
        "null",
        "[]",
        "{}",
        "{\"runtimeSpec\":[]}",
        "{\"pid\":99999999999999999999,\"runtimeSpec\":{\"linux\":{\"cgroupsPath\":\"/a\"}}}",
        "{\"runtimeSpec\":{\"linux\":{\"cgroupsPath\":7}}}",
        "{\"runtimeSpec\":{\"linux\":{\"cgroupsPath\":\"/a",
      })
  void unexpected(String info) {
    assertThat(ContainerCgroup.of(info)).isEmpty();
  }

  @ParameterizedTest
  @DisplayName("a runtime that names no process is asked for its group all the same")
  @ValueSource(strings = {"", "\"pid\":null,", "\"pid\":\"7\",", "\"pid\":[7],", "\"pid\":7.5,"})
  void noProcess(String pid) {
    assertThat(
            ContainerCgroup.of(
                "{" + pid + "\"runtimeSpec\":{\"linux\":{\"cgroupsPath\":\"/a/b\"}}}"))
        .contains(new ContainerCgroup(Path.of("a/b"), 0));
  }

  @Test
  @DisplayName("JSON that nests too deeply says nothing")
  void deep() {
    assertThat(ContainerCgroup.of("{\"a\":" + "[".repeat(100_000))).isEmpty();
  }

  @Test
  @DisplayName("a NUL in the path says nothing")
  void nul() {
    assertThat(ContainerCgroup.of(info("/a\\u0000b"))).isEmpty();
  }
}
