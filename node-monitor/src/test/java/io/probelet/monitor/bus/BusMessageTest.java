package io.probelet.monitor.bus;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.probelet.health.RandomCase;
import io.probelet.monitor.bus.BusMessage.Reply;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Any bytes from the bus result in a value or an IOException with a message. */
class BusMessageTest {
  private static final String UNITS = "a(ssssssouso)";
  private static final int MOST = 3;

  @Test
  void readsUnits() throws Exception {
    assertThat(BusMessage.units(answer(units("loaded", "active")), MOST))
        .containsExactly(new SystemBus.Unit("kubelet.service", "loaded", "active", 7));
  }

  /** Attack: a signed length byte led to NegativeArraySizeException. */
  @ParameterizedTest
  @ValueSource(ints = {3, 127, 128, 200, 255})
  void refusesAnySignatureLongerThanTheMessage(int length) {
    byte[] message = units("loaded", "active");
    message[17] = (byte) length; // the signature of the first header field

    assertThatThrownBy(() -> answer(message))
        .isInstanceOf(IOException.class)
        .hasMessageStartingWith("malformed D-Bus message: ");
  }

  @Test
  void readsSignatureOf255Characters() throws Exception {
    Bytes out = new Bytes();
    out.field(8, "g").signature("s".repeat(255)).endHeader();

    assertThat(answer(out.bytes()).signature()).hasSize(255);
  }

  /** Attack: the length wrapped around, and the list read as empty. */
  @ParameterizedTest
  @ValueSource(ints = {Integer.MAX_VALUE, -1, Integer.MIN_VALUE, 100_000})
  void refusesArrayLongerThanTheMessage(int length) throws Exception {
    Bytes out = new Bytes();
    out.field(8, "g").signature(UNITS).endHeader().uint(length);
    out.uint(0);

    assertThatThrownBy(() -> BusMessage.units(answer(out.bytes()), MOST))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("malformed");
  }

  @Test
  void refusesMoreUnitsThanWereAskedFor() {
    assertThatThrownBy(() -> BusMessage.units(answer(units("loaded", "active")), 0))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("more units than the 0 requested");
  }

  @Test
  void refusesOtherTypesOfBodyAndNestedHeaderFields() {
    Bytes body = new Bytes();
    body.field(8, "g").signature("as").endHeader();
    Bytes variants = new Bytes();
    variants.field(9, "v");

    assertThatThrownBy(() -> BusMessage.units(answer(body.bytes()), MOST))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("reply of type 'as', expected a list of units");
    assertThatThrownBy(() -> answer(variants.endHeader().bytes()))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("unexpected header field type 'v'");
  }

  @Test
  void cleansAndBoundsTexts() throws Exception {
    String hostile = "\u001b[2Jactive\nprobelet: all is well\u202e" + "x".repeat(10_000);

    assertThat(BusMessage.units(answer(units(hostile, "active")), MOST).getFirst().load())
        .startsWith("active probelet: all is wellxxx")
        .hasSize(BusReader.MAX_TEXT);
  }

  @Test
  void namesTheErrorOnlyIfItsBodyIsNoText() throws Exception {
    Bytes out = new Bytes().type(3);
    out.field(4, "s").string("org.freedesktop.DBus.Error.Failed");
    out.endHeader().uint(7);

    assertThat(answer(out.bytes()).text()).isEqualTo("org.freedesktop.DBus.Error.Failed");
  }

  @Test
  void refusesArgumentsThatDoNotFit() {
    BusMessage.Call call = new BusMessage.Call("a", "/a", "a.a", "Get");

    assertThatThrownBy(() -> BusMessage.bytes(call, 1, List.of("x".repeat(70_000))))
        .isInstanceOf(IOException.class)
        .hasMessage("Get: arguments exceed 64 KiB");
    assertThatThrownBy(() -> BusMessage.bytes(call, 1, List.of(Collections.nCopies(20_000, "a"))))
        .isInstanceOf(IOException.class);
  }

  /** Changes bytes of valid messages; any exception but IOException fails the test. */
  @Test
  void readsAnyBytesOrSaysWhyNot() {
    RandomCase.tries(
        20_000,
        random -> {
          byte[] message = units("loaded", "active");
          if (random.between(0, 3) == 0) {
            message = errorMessage();
          }
          for (int changes = random.between(1, 6); changes > 0; changes--) {
            message[random.between(0, message.length - 1)] =
                random.of(random.between(0, 255), 0, 127, 128, 255).byteValue();
          }
          message[0] = 'l';
          try {
            Reply answer = answer(message);
            assertThat(answer.text().length()).isLessThan(2 * BusReader.MAX_TEXT + 3);
            List<SystemBus.Unit> units = BusMessage.units(answer, MOST);
            assertThat(units).hasSizeLessThanOrEqualTo(MOST);
            units.forEach(unit -> assertThat(unit.toString()).doesNotContainPattern("\\p{Cntrl}"));
          } catch (IOException malformed) {
            assertThat(malformed.getMessage()).isNotBlank();
          }
        });
  }

  private static byte[] errorMessage() {
    Bytes out = new Bytes().type(3);
    out.field(4, "s").string("org.freedesktop.DBus.Error.AccessDenied");
    out.field(5, "u").uint(2);
    out.field(8, "g").signature("s");
    return out.endHeader().string("not allowed").bytes();
  }

  private static byte[] units(String load, String active) {
    Bytes out = new Bytes();
    out.field(5, "u").uint(2);
    out.field(8, "g").signature(UNITS).endHeader();
    int length = out.position();
    out.uint(0).align(8);
    int start = out.position();
    for (String text : List.of("kubelet.service", "The kubelet", load, active, "s", "", "/o")) {
      out.string(text);
    }
    out.uint(7).string("").string("/");
    return out.uintAt(length, out.position() - start).bytes();
  }

  private static Reply answer(byte[] message) throws IOException {
    ByteBuffer all = ByteBuffer.wrap(message).order(ByteOrder.LITTLE_ENDIAN);
    int fields = Math.clamp(all.getInt(12), 0, message.length - 16);
    int header = Math.min(Math.ceilDiv(16 + fields, 8) * 8, message.length);
    return BusMessage.answer(all, fields, header);
  }

  /** Writes a message by the specification, without validation. */
  private static final class Bytes {
    private final ByteBuffer out = ByteBuffer.allocate(32_768).order(ByteOrder.LITTLE_ENDIAN);

    Bytes() {
      out.put((byte) 'l').put((byte) 2).put((byte) 0).put((byte) 1).putInt(0).putInt(1).putInt(0);
    }

    Bytes type(int type) {
      out.put(1, (byte) type);
      return this;
    }

    int position() {
      return out.position();
    }

    Bytes field(int code, String type) {
      align(8);
      out.put((byte) code);
      return signature(type);
    }

    Bytes endHeader() {
      out.putInt(12, out.position() - 16);
      return align(8);
    }

    Bytes align(int to) {
      out.position(Math.ceilDiv(out.position(), to) * to);
      return this;
    }

    Bytes uint(int number) {
      align(4);
      out.putInt(number);
      return this;
    }

    Bytes uintAt(int position, int number) {
      out.putInt(position, number);
      return this;
    }

    Bytes string(String text) {
      byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
      uint(bytes.length);
      out.put(bytes).put((byte) 0);
      return this;
    }

    Bytes signature(String text) {
      byte[] bytes = text.getBytes(StandardCharsets.US_ASCII);
      out.put((byte) bytes.length).put(bytes).put((byte) 0);
      return this;
    }

    byte[] bytes() {
      byte[] bytes = new byte[out.position()];
      out.get(0, bytes);
      return bytes;
    }
  }
}
