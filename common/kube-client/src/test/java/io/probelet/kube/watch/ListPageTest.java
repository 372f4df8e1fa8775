package io.probelet.kube.watch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.probelet.kube.ProtobufWriter;
import io.probelet.kube.protobuf.ProtobufFields;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Reading a page of a list. */
class ListPageTest {
  private final List<String> names = new ArrayList<>();
  private final List<String> nexts = new ArrayList<>();

  /** Reads the first field of each object, and leaves the rest. */
  private ListPage read(String json) throws IOException {
    return read(json.getBytes(StandardCharsets.UTF_8));
  }

  private ListPage read(byte[] sent) throws IOException {
    return ListPage.read(
        ListPage.unpacked(new ByteArrayInputStream(sent)),
        new ListPage.Reader() {
          @Override
          public void read(JsonParser object) throws IOException {
            object.nextToken();
            object.nextToken();
            names.add(object.getText());
          }

          @Override
          public void read(ProtobufFields object) throws IOException {
            object.next();
            int outer = object.enter();
            object.next();
            names.add(object.text());
            object.leave(outer);
          }
        },
        nexts::add);
  }

  private static byte[] protobuf(String list) throws IOException {
    return ProtobufWriter.list(new ObjectMapper().readTree(list));
  }

  @Test
  @DisplayName("a protobuf page is read like others, compressed or not")
  void protobuf() throws IOException {
    byte[] page =
        protobuf(
            """
            {"metadata": {"resourceVersion": "7", "continue": "x"},
             "items": [{"metadata": {"name": "grüße-€-😀"}}, {"metadata": {"name": "b"}}]}
            """);
    for (byte[] sent : List.of(page, packed(page))) {
      names.clear();
      nexts.clear();
      assertThat(read(sent)).isEqualTo(new ListPage("7", "x"));
      assertThat(nexts).containsExactly("x");
      assertThat(names).containsExactly("grüße-€-😀", "b");
    }
    assertThat(read(protobuf("{\"metadata\": {\"resourceVersion\": \"1\"}}")))
        .isEqualTo(new ListPage("1", ""));
  }

  @Test
  @DisplayName("a truncated protobuf page is always rejected")
  void protobufCut() throws IOException {
    byte[] page =
        protobuf(
            """
            {"metadata": {"resourceVersion": "7"},
             "items": [{"metadata": {"name": "a"}}, {"metadata": {"name": "b"}}]}
            """);
    int behindTheList = 4; // two empty fields of the envelope
    for (int cut = 0; cut < page.length - behindTheList; cut++) {
      byte[] part = Arrays.copyOf(page, cut);
      assertThatThrownBy(() -> read(part))
          .as("%d of %d bytes", cut, page.length)
          .isInstanceOf(IOException.class);
    }
    assertThat(read(page)).isEqualTo(new ListPage("7", ""));
  }

  @Test
  @DisplayName("protobuf that is not a list, or not requested, is rejected")
  void protobufRefused() throws IOException {
    byte[] status =
        ProtobufWriter.object(new ObjectMapper().readTree("{\"kind\": \"Status\", \"code\": 500}"));
    assertThatThrownBy(() -> read(status)).isInstanceOf(IOException.class);
    byte[] page =
        protobuf("{\"metadata\": {\"resourceVersion\": \"7\"}, \"items\": [{\"metadata\": {}}]}");
    assertThatThrownBy(() ->
            ListPage.read(ListPage.unpacked(new ByteArrayInputStream(page)), _ -> {}, nexts::add))
        .isInstanceOf(IOException.class)
        .hasMessage("unexpected protobuf response");
  }

  @Test
  @DisplayName("objects are read one by one, wherever the continue token is, in any script")
  void page() throws IOException {
    ListPage page =
        read(
            """
            {"kind": "PodList", "items": [{"name": "grüße-€-😀", "more": [{}]}, {"name": "b"}],
             "other": [[{}]], "metadata": {"resourceVersion": "7", "continue": "x"}}
            """);
    assertThat(page).isEqualTo(new ListPage("7", "x"));
    assertThat(names).containsExactly("grüße-€-😀", "b");
  }

  @Test
  @DisplayName("a gzip page is read like others, and half of one is rejected")
  void packed() throws IOException {
    byte[] packed =
        packed("{\"items\": [{\"name\": \"a\"}], \"metadata\": {\"resourceVersion\": \"7\"}}");
    assertThat(read(packed)).isEqualTo(new ListPage("7", ""));
    assertThat(names).containsExactly("a");

    for (int cut : List.of(1, 5, packed.length / 2, packed.length - 12)) {
      assertThatThrownBy(() -> read(Arrays.copyOf(packed, cut)))
          .as("%d of %d bytes", cut, packed.length)
          .isInstanceOf(IOException.class);
    }
  }

  private static byte[] packed(String text) throws IOException {
    return packed(text.getBytes(StandardCharsets.UTF_8));
  }

  private static byte[] packed(byte[] plain) throws IOException {
    ByteArrayOutputStream packed = new ByteArrayOutputStream();
    try (OutputStream out = new GZIPOutputStream(packed)) {
      out.write(plain);
    }
    return packed.toByteArray();
  }

  @Test
  @DisplayName("an empty list: Go writes an absent list as null")
  void none() throws IOException {
    assertThat(read("{\"metadata\": {\"resourceVersion\": \"1\"}, \"items\": null}"))
        .isEqualTo(new ListPage("1", ""));
    assertThat(names).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "[]",
        "<html>busy</html>",
        "{\"items\": [{\"metadata\"",
        "{\"items\": [{\"a\": \"b\", \"c\": [",
        "{\"items\": [{\"a\": \"b\"}",
        "{\"items\": []",
        "{\"a\": 1",
        "{\"kind\": \"Status\"}"
      })
  @DisplayName("an invalid or truncated list is rejected: no object seems to be gone")
  void noList(String text) {
    assertThatThrownBy(() -> read(text)).isInstanceOf(IOException.class);
  }
}
