package io.probelet.kube;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ApiPathTest {
  @ParameterizedTest
  @CsvSource({
    "v1,                        /api/v1",
    "apps/v1,                   /apis/apps/v1",
    "remediation.medik8s.io/v1alpha1, /apis/remediation.medik8s.io/v1alpha1",
    "v1?watch=1,                /api/v1%3Fwatch%3D1",
    "a/b#c,                     /apis/a/b%23c",
  })
  void roots(String apiVersion, String path) {
    assertThat(ApiPath.root(apiVersion)).isEqualTo(path);
  }

  @ParameterizedTest
  @CsvSource({
    "node-1.example.com,        node-1.example.com",
    "one/other,                 one%2Fother",
    "a b+c,                     a%20b%2Bc",
    "'pool in (a,b),x!=y',      'pool%20in%20%28a%2Cb%29%2Cx%21%3Dy'",
    "ü,                         %C3%BC",
  })
  void names(String text, String encoded) {
    assertThat(ApiPath.encoded(text)).isEqualTo(encoded);
  }
}
