package io.probelet.health.tls;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.security.GeneralSecurityException;
import java.security.PublicKey;
import java.security.Signature;
import java.security.cert.CertificateException;
import java.security.interfaces.RSAPublicKey;
import java.security.spec.MGF1ParameterSpec;
import java.security.spec.PSSParameterSpec;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Whether one certificate has signed another, by the algorithms that Go computes with. */
final class CertificateSignatures {
  private static final int MIN_RSA_BITS = 1024;
  private static final String RSA = "RSA";
  private static final String RSA_PSS = "2a864886f70d01010a";
  private static final String ED25519 = "2b6570";
  private static final String UNSUPPORTED =
      "x509: cannot verify signature: algorithm unimplemented";

  /** MD5 and SHA-1, with RSA, DSA and ECDSA. */
  private static final Map<String, String> INSECURE =
      Map.of(
          "2a864886f70d010104", "MD5-RSA",
          "2a864886f70d010105", "SHA1-RSA",
          "2b0e03021d", "SHA1-RSA",
          "2a8648ce380403", "DSA-SHA1",
          "2a8648ce3d0401", "ECDSA-SHA1");

  private static final Map<String, Algorithm> ALGORITHMS =
      Map.of(
          "2a864886f70d01010b",
          new Algorithm("SHA256withRSA", RSA),
          "2a864886f70d01010c",
          new Algorithm("SHA384withRSA", RSA),
          "2a864886f70d01010d",
          new Algorithm("SHA512withRSA", RSA),
          "2a8648ce3d040302",
          new Algorithm("SHA256withECDSA", "EC"),
          "2a8648ce3d040303",
          new Algorithm("SHA384withECDSA", "EC"),
          "2a8648ce3d040304",
          new Algorithm("SHA512withECDSA", "EC"),
          ED25519,
          new Algorithm("Ed25519", "EdDSA"));

  /** Kinds of keys by Java's name: Go's name for the kind, and for the type. */
  private static final Map<String, List<String>> KINDS =
      Map.of(
          RSA,
          List.of(RSA, "*rsa.PublicKey"),
          "EC",
          List.of("ECDSA", "*ecdsa.PublicKey"),
          "EdDSA",
          List.of("Ed25519", "ed25519.PublicKey"));

  /** Hashes by their identifier, with the bytes of their result, which are those of the salt. */
  private static final Map<String, PSSParameterSpec> PSS =
      Map.of(
          "608648016503040201", pss("SHA-256", MGF1ParameterSpec.SHA256, 32),
          "608648016503040202", pss("SHA-384", MGF1ParameterSpec.SHA384, 48),
          "608648016503040203", pss("SHA-512", MGF1ParameterSpec.SHA512, 64));

  private static final String MGF1 = "2a864886f70d010108";
  private static final Set<String> NO_PARAMETERS = Set.of("", "0500");
  private static final int PSS_HASH = 0xa0;
  private static final int PSS_MASK = 0xa1;
  private static final int PSS_SALT = 0xa2;
  private static final int PSS_TRAILER = 0xa3;

  private record Algorithm(String java, String key) {
    String kind() {
      return Objects.requireNonNull(KINDS.get(key)).getFirst();
    }
  }

  private CertificateSignatures() {}

  private static PSSParameterSpec pss(String hash, MGF1ParameterSpec mask, int salt) {
    return new PSSParameterSpec(hash, "MGF1", mask, salt, PSSParameterSpec.TRAILER_FIELD_BC);
  }

  /** {@return why a certificate is not signed by this parent; null if it is} */
  static @Nullable String fault(ParsedCertificate child, ParsedCertificate parent) {
    CertificateExtensions may = parent.extensions();
    boolean none = parent.version() == 3 && !may.constrained();
    if (none || (may.constrained() && !may.authority()) || !may.signing()) {
      return "x509: invalid signature: parent certificate cannot sign this kind of certificate";
    }
    try {
      return fault(child, parent.source().getPublicKey());
    } catch (GeneralSecurityException | RuntimeException notOfThisKey) {
      // Runtime exceptions, too: the JDK's providers throw some on keys that make no sense.
      return UNSUPPORTED;
    }
  }

  private static @Nullable String fault(ParsedCertificate child, PublicKey key)
      throws GeneralSecurityException {
    DerReader identifier =
        DerReader.of(child.algorithm().getBytes(ISO_8859_1)).read(DerReader.SEQUENCE);
    String oid = identifier.read(DerReader.OID).restAsHex();
    if (INSECURE.containsKey(oid)) {
      return "x509: cannot verify signature: insecure algorithm " + INSECURE.get(oid);
    }
    PSSParameterSpec pss = oid.equals(RSA_PSS) ? pss(identifier) : null;
    Algorithm algorithm = pss == null ? ALGORITHMS.get(oid) : new Algorithm("RSASSA-PSS", RSA);
    if (algorithm == null || (oid.equals(ED25519) && !identifier.isEmpty())) {
      return UNSUPPORTED;
    }
    List<String> kind = KINDS.get(key.getAlgorithm());
    if (kind == null) {
      return UNSUPPORTED;
    }
    if (!algorithm.key.equals(key.getAlgorithm())) {
      return "x509: signature algorithm specifies an %s public key, but have public key of type %s"
          .formatted(algorithm.kind(), kind.getLast());
    }
    if (key instanceof RSAPublicKey rsa && rsa.getModulus().bitLength() < MIN_RSA_BITS) {
      return "crypto/rsa: %d-bit keys are insecure".formatted(rsa.getModulus().bitLength());
    }
    Signature signature = Signature.getInstance(algorithm.java);
    if (pss != null) {
      signature.setParameter(pss);
    }
    signature.initVerify(key);
    signature.update(child.source().getTBSCertificate());
    if (signature.verify(child.source().getSignature())) {
      return null;
    }
    return algorithm.key.equals(RSA)
        ? "crypto/rsa: verification error"
        : "x509: %s verification failure".formatted(algorithm.kind());
  }

  /** {@return the parameters, if they are one of the three sets that Go takes; else null} */
  private static @Nullable PSSParameterSpec pss(DerReader identifier) throws CertificateException {
    DerReader parameters = identifier.read(DerReader.SEQUENCE);
    DerReader hash = parameters.read(PSS_HASH).read(DerReader.SEQUENCE);
    String oid = hash.read(DerReader.OID).restAsHex();
    PSSParameterSpec spec = PSS.get(oid);
    DerReader mask = parameters.read(PSS_MASK).read(DerReader.SEQUENCE);
    boolean same = mask.read(DerReader.OID).restAsHex().equals(MGF1);
    DerReader maskHash = mask.read(DerReader.SEQUENCE);
    same &= maskHash.read(DerReader.OID).restAsHex().equals(oid);
    same &= NO_PARAMETERS.contains(hash.restAsHex());
    same &= NO_PARAMETERS.contains(maskHash.restAsHex());
    int salt = parameters.read(PSS_SALT).read(DerReader.INTEGER).count();
    same &=
        parameters.peek() != PSS_TRAILER
            || parameters.read(PSS_TRAILER).read(DerReader.INTEGER).count() == 1;
    return same && spec != null && spec.getSaltLength() == salt ? spec : null;
  }
}
