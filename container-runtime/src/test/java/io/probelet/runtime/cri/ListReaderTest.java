package io.probelet.runtime.cri;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import com.google.protobuf.CodedOutputStream;
import com.google.protobuf.InvalidProtocolBufferException;
import io.probelet.runtime.cri.v1.Container;
import io.probelet.runtime.cri.v1.ContainerState;
import io.probelet.runtime.cri.v1.ListContainersResponse;
import io.probelet.runtime.cri.v1.ListPodSandboxResponse;
import io.probelet.runtime.cri.v1.PodSandbox;
import io.probelet.runtime.cri.v1.PodSandboxState;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class ListReaderTest {
  private static final int ANNOTATIONS = 9;
  private static final Container FIRST = Listed.running("c1", "s1", "app", 0);
  private static final Container SECOND = Listed.running("c2", "s1", "db", 3);

  private final ListReader<Container> reader = ListReader.containers();

  private static byte[] list(Container... containers) {
    return ListContainersResponse.newBuilder()
        .addAllContainers(List.of(containers))
        .build()
        .toByteArray();
  }

  @Test
  @DisplayName("What is listed as before is the same object, in whichever order it comes")
  void reuses() throws Exception {
    List<Container> before = reader.read(list(FIRST, SECOND));
    List<Container> now = reader.read(list(SECOND, FIRST));

    assertThat(before).containsExactly(FIRST, SECOND);
    assertThat(now.get(0)).isSameAs(before.get(1));
    assertThat(now.get(1)).isSameAs(before.get(0));
  }

  @Test
  @DisplayName("What has another state or time of creation is read anew")
  void readsWhatChanged() throws Exception {
    Container ended = FIRST.toBuilder().setState(ContainerState.CONTAINER_EXITED).build();
    Container later = SECOND.toBuilder().setCreatedAt(SECOND.getCreatedAt() + 1).build();
    Container other = Listed.running("c3", "s1", "web", 0);
    reader.read(list(FIRST, SECOND));

    assertThat(reader.read(list(ended, later, other))).containsExactly(ended, later, other);
    assertThat(reader.read(list(FIRST))).containsExactly(FIRST);
    assertThat(reader.read(list())).isEmpty();
  }

  @Test
  @DisplayName("Of labels only the container's name is kept, and nothing of unknown fields")
  void keepsLittle() throws Exception {
    Container labelled = FIRST.toBuilder().putLabels("app", "web").build();
    ByteString annotated =
        ByteString.copyFrom(list(labelled)).concat(ByteString.copyFrom(list(annotated(SECOND))));

    List<Container> items = reader.read(annotated.toByteArray());

    assertThat(items).containsExactly(FIRST, SECOND);
    assertThat(items.get(1).getSerializedSize()).isEqualTo(SECOND.getSerializedSize());
  }

  /** With a field that our part of the interface does not know. */
  private static Container annotated(Container container) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    CodedOutputStream out = CodedOutputStream.newInstance(bytes);
    out.writeRawBytes(container.toByteString());
    out.writeString(ANNOTATIONS, "an annotation");
    out.flush();
    return Container.parseFrom(bytes.toByteArray());
  }

  @Test
  @DisplayName("A container without the label that names it keeps the name of its metadata")
  void keepsTheNameOfMetadata() throws Exception {
    Container unlabelled = FIRST.toBuilder().clearLabels().build();
    assertThat(reader.read(list(unlabelled))).containsExactly(unlabelled);
  }

  @Test
  @DisplayName("Sandboxes are read by their own numbers of fields")
  void sandboxes() throws Exception {
    ListReader<PodSandbox> sandboxes = ListReader.sandboxes();
    PodSandbox ready = Listed.sandbox("s1", "web");
    PodSandbox stopped = Listed.sandbox("s1", "web", PodSandboxState.SANDBOX_NOTREADY, 1);
    List<PodSandbox> first = sandboxes.read(list(ready));

    assertThat(first).containsExactly(ready);
    assertThat(sandboxes.read(list(ready)).getFirst()).isSameAs(first.getFirst());
    assertThat(sandboxes.read(list(stopped))).containsExactly(stopped);
  }

  private static byte[] list(PodSandbox sandbox) {
    return ListPodSandboxResponse.newBuilder().addItems(sandbox).build().toByteArray();
  }

  @Test
  @DisplayName("A broken list is refused, wherever it is cut off, and changes nothing")
  void refusesBrokenLists() throws Exception {
    byte[] whole = list(FIRST, SECOND);
    List<Container> before = reader.read(whole);
    int firstEnds = list(FIRST).length;
    for (int length = 1; length < whole.length; length++) {
      if (length != firstEnds) {
        byte[] part = Arrays.copyOf(whole, length);
        assertThatThrownBy(() -> reader.read(part))
            .isInstanceOf(InvalidProtocolBufferException.class);
      }
    }
    assertThat(reader.read(whole).getFirst()).isSameAs(before.getFirst());
    byte[] endOfGroup = {0x0c};
    assertThatThrownBy(() -> reader.read(endOfGroup))
        .isInstanceOf(InvalidProtocolBufferException.class);
  }

  @Test
  @DisplayName("A field of another type than it should have is passed over, as parsers do")
  void passesOverOtherTypes() throws Exception {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    CodedOutputStream out = CodedOutputStream.newInstance(bytes);
    out.writeRawBytes(FIRST.toByteString());
    out.writeString(Container.STATE_FIELD_NUMBER, "running");
    out.flush();
    ByteArrayOutputStream outer = new ByteArrayOutputStream();
    CodedOutputStream message = CodedOutputStream.newInstance(outer);
    message.writeByteArray(ListContainersResponse.CONTAINERS_FIELD_NUMBER, bytes.toByteArray());
    message.flush();

    assertThat(reader.read(outer.toByteArray())).containsExactly(FIRST);
  }
}
