package io.probelet.kube.object;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.probelet.kube.object.BoundedObject.TooLarge;
import io.probelet.kube.object.BoundedObject.Whole;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Kept fields, and objects that are too large. */
class BoundedObjectTest {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String IDENTITY =
      "\"metadata\":{\"namespace\":\"ns\",\"name\":\"a\",\"uid\":\"1\",\"resourceVersion\":\"7\"}";

  private static BoundedObject read(String json, KeptFields fields, ObjectLimits limits)
      throws IOException {
    // what follows in a list must be read, whatever became of the object
    String list = "[" + json + ",{\"next\":true}]";
    try (JsonParser parser =
        WireJson.FACTORY.createParser(
            new ByteArrayInputStream(list.getBytes(StandardCharsets.UTF_8)))) {
      parser.nextToken();
      parser.nextToken();
      BoundedObject read = BoundedObject.read(parser, fields, limits);
      assertThat(parser.nextToken()).isEqualTo(JsonToken.START_OBJECT);
      assertThat(BoundedObject.read(parser, KeptFields.ALL, ObjectLimits.USUAL))
          .isEqualTo(new Whole(JSON.createObjectNode().put("next", true)));
      return read;
    }
  }

  @Test
  @DisplayName("a whole object equals Jackson's, except for managed fields")
  void whole() throws IOException {
    String object =
        "{\"a\":[1,2.5,true,false,null,\"x\",{\"b\":[]}],\"n\":123456789012,\"big\":1234567890123456789012,"
            + IDENTITY.replace("\"name\"", "\"managedFields\":[{\"f:x\":{}}],\"name\"")
            + "}";
    JsonNode expected = JSON.readTree(object.replace("\"managedFields\":[{\"f:x\":{}}],", ""));
    assertThat(read(object, KeptFields.ALL, ObjectLimits.USUAL))
        .isEqualTo(new Whole(expected.deepCopy()));
  }

  @Test
  @DisplayName("kept fields are complete, others are absent, also in arrays")
  void some() throws IOException {
    KeptFields fields =
        KeptFields.of(
            "/spec/nodeName",
            "/metadata/annotations/kubernetes.io~1config.mirror",
            "/metadata/ownerReferences/kind");
    assertThat(
            read(
                """
                {"spec": {"nodeName": "n", "args": ["a", "b"]}, "status": {"phase": "Running"},
                 "metadata": {"name": "a", "labels": {"x": "y"},
                  "annotations": {"kubernetes.io/config.mirror": "h", "other": "o"},
                  "ownerReferences": [{"kind": "k", "name": "n"}, {"kind": "l"}]}}
                """,
                fields,
                ObjectLimits.USUAL))
        .isEqualTo(
            new Whole(
                JSON.readTree(
                        """
                        {"spec": {"nodeName": "n"},
                         "metadata": {"name": "a",
                          "annotations": {"kubernetes.io/config.mirror": "h"},
                          "ownerReferences": [{"kind": "k"}, {"kind": "l"}]}}
                        """)
                    .deepCopy()));
    assertThat(fields.isMetadataOnly()).isFalse();
    assertThat(KeptFields.of("/metadata/labels").isMetadataOnly()).isTrue();
    assertThat(KeptFields.of().isMetadataOnly()).isTrue();
    assertThat(KeptFields.ALL.isMetadataOnly()).isFalse();
  }

  @Test
  @DisplayName("with excluded fields all others are present")
  void allBut() throws IOException {
    assertThat(
            read(
                "{\"spec\":{\"a\":1,\"b\":{\"c\":2}},\"status\":{\"images\":[],\"d\":[3]}}",
                KeptFields.allBut("/spec/b", "/status/images"),
                ObjectLimits.USUAL))
        .isEqualTo(
            new Whole(JSON.readTree("{\"spec\":{\"a\":1},\"status\":{\"d\":[3]}}").deepCopy()));
    assertThat(KeptFields.allBut("/spec").isMetadataOnly()).isFalse();
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          short texts   | ["a"#,"a"]          | 450000
          empty objects | [{}#,{}]            | 400000
          a deep value  | #[null#]            | 5000
          a long text   | "a#aaaaaaaaa"       | 140000
          many fields   | {"a":1#,"aaaaaa":1} | 150000
          """)
  @DisplayName("an object that is too large is identified, wherever its name is")
  void tooLarge(String what, String pattern, int times) throws IOException {
    String[] parts = pattern.split("#", -1);
    String value =
        parts.length == 3
            ? "[".repeat(times) + "null" + "]".repeat(times)
            : parts[0]
                + parts[1].substring(0, parts[1].length() - 1).repeat(times)
                + parts[1].substring(parts[1].length() - 1);
    for (String object :
        new String[] {
          "{\"spec\":" + value + "," + IDENTITY + "}", "{" + IDENTITY + ",\"spec\":" + value + "}"
        }) {
      assertThat(read(object, KeptFields.ALL, ObjectLimits.USUAL))
          .as(what)
          .isEqualTo(
              new TooLarge(JSON.readTree("{" + IDENTITY + "}").deepCopy(), ObjectLimits.USUAL))
          .extracting(large -> ((TooLarge) large).text())
          .isEqualTo("ns/a has more than 20000 values or 1048576 characters");
      assertThat(read(object, KeptFields.of("/status"), ObjectLimits.USUAL))
          .as("%s, which nobody needs", what)
          .isInstanceOf(Whole.class);
    }
  }

  @Test
  @DisplayName("objects exactly at the limits are read")
  void limits() throws IOException {
    ObjectLimits limits = new ObjectLimits(3, 9);
    assertThat(read("{\"a\":[1,2]}", KeptFields.ALL, limits)).isInstanceOf(Whole.class);
    assertThat(read("{\"a\":[1,2,3]}", KeptFields.ALL, limits)).isInstanceOf(TooLarge.class);
    assertThat(read("{\"a\":\"12345678\"}", KeptFields.ALL, limits)).isInstanceOf(Whole.class);
    assertThat(read("{\"a\":\"123456789\"}", KeptFields.ALL, limits)).isInstanceOf(TooLarge.class);
  }

  @Test
  @DisplayName("a truncated object is an error")
  void cut() throws IOException {
    String object = "{\"a\":[1,{\"b\":\"c\"}]," + IDENTITY + "}";
    for (int length = 1; length < object.length(); length++) {
      String part = object.substring(0, length);
      try (JsonParser parser = WireJson.FACTORY.createParser(part)) {
        assertThatThrownBy(
                () -> {
                  parser.nextToken();
                  BoundedObject.read(parser, KeptFields.ALL, ObjectLimits.USUAL);
                })
            .as(part)
            .isInstanceOf(IOException.class);
      }
    }
  }
}
