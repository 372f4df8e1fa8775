package io.probelet.kube.protobuf;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.CodedOutputStream;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class ProtobufFieldsTest {
  /** 1: "name", 2: {1: "inner", 2: 7}, 3: "last". */
  private static byte[] message() throws IOException {
    ByteArrayOutputStream inner = new ByteArrayOutputStream();
    CodedOutputStream in = CodedOutputStream.newInstance(inner);
    in.writeString(1, "inner");
    in.writeInt32(2, 7);
    in.flush();
    ByteArrayOutputStream outer = new ByteArrayOutputStream();
    CodedOutputStream out = CodedOutputStream.newInstance(outer);
    out.writeString(1, "name");
    out.writeByteArray(2, inner.toByteArray());
    out.writeString(3, "last");
    out.flush();
    return outer.toByteArray();
  }

  private static List<ProtobufFields> bothWays(byte[] bytes) {
    return List.of(
        new ProtobufFields(bytes, 0, bytes.length),
        new ProtobufFields(new ByteArrayInputStream(bytes)));
  }

  @Test
  @DisplayName("fields are read in order, into a nested message and after it")
  void walk() throws IOException {
    for (ProtobufFields fields : bothWays(message())) {
      assertThat(fields.next()).isEqualTo(1);
      assertThat(fields.text()).isEqualTo("name");
      assertThat(fields.next()).isEqualTo(2);
      int outer = fields.enter();
      assertThat(fields.next()).isEqualTo(1);
      assertThat(fields.text()).isEqualTo("inner");
      fields.leave(outer); // with its number unread
      assertThat(fields.next()).isEqualTo(3);
      fields.skip();
      assertThat(fields.next()).isEqualTo(ProtobufFields.END);
    }
  }

  @Test
  @DisplayName("a message ends at its own length, not at that of the enclosing one")
  void end() throws IOException {
    for (ProtobufFields fields : bothWays(message())) {
      fields.next();
      fields.skip();
      fields.next();
      int outer = fields.enter();
      fields.next();
      fields.skip();
      assertThat(fields.next()).isEqualTo(2);
      assertThat(fields.number()).isEqualTo(7);
      assertThat(fields.next()).isEqualTo(ProtobufFields.END);
      fields.leave(outer);
      assertThat(fields.next()).isEqualTo(3);
    }
  }

  @Test
  @DisplayName("a truncated message is rejected, never taken for its end")
  void cut() throws IOException {
    byte[] whole = message();
    int innerFrom = 8; // behind the first field, tag and length of the second
    int innerTo = innerFrom + 9;
    for (int cut = innerFrom; cut < innerTo; cut++) {
      for (ProtobufFields fields : bothWays(Arrays.copyOf(whole, cut))) {
        assertThatThrownBy(
                () -> {
                  fields.next();
                  fields.skip();
                  fields.next();
                  int outer = fields.enter();
                  while (fields.next() != ProtobufFields.END) {
                    fields.skip();
                  }
                  fields.leave(outer);
                })
            .as("%d of %d bytes", cut, whole.length)
            .isInstanceOf(IOException.class);
      }
    }
  }

  @Test
  @DisplayName("a field of an unexpected type, and an oversized message, are rejected")
  void refused() throws IOException {
    for (ProtobufFields fields : bothWays(message())) {
      fields.next();
      assertThatThrownBy(fields::number)
          .isInstanceOf(IOException.class)
          .hasMessageContaining("field 1 of wire type 2, expected 0");
      fields.skip();
      fields.next();
      assertThatThrownBy(() -> fields.enter(8))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("exceeds 8 bytes");
    }
  }
}
