package io.probelet.probe.net;

import java.io.ByteArrayOutputStream;
import java.math.BigInteger;
import java.security.Principal;
import java.security.PublicKey;
import java.security.cert.CertificateEncodingException;
import java.security.cert.X509Certificate;
import java.util.Arrays;
import java.util.Date;
import java.util.Set;

/** A certificate that a server shows with no names, or with another key than it has. */
final class ShownCertificate extends X509Certificate {
  private static final byte[] NONE = {0x30, 0};

  private final X509Certificate real;
  private final PublicKey key;
  private final byte[] shown;

  /** Shows a certificate with another key; its signature then is not its. */
  ShownCertificate(X509Certificate real, PublicKey key) throws Exception {
    this.real = real;
    this.key = key;
    byte[] der = real.getTBSCertificate();
    byte[] own = real.getPublicKey().getEncoded();
    int keyAt = find(der, own, 0);
    int content = der.length - lengthOf(der);
    ByteArrayOutputStream signed = new ByteArrayOutputStream();
    signed.write(der, content, keyAt - content);
    signed.writeBytes(key.getEncoded());
    int rest = keyAt + own.length;
    signed.write(der, rest, der.length - rest);
    shown = whole(signed.toByteArray());
  }

  /** Shows a certificate without its issuer, its subject or both; its signature then is not its. */
  ShownCertificate(X509Certificate real, boolean issuer, boolean subject) throws Exception {
    this.real = real;
    this.key = real.getPublicKey();
    byte[] der = real.getTBSCertificate();
    byte[] first = real.getIssuerX500Principal().getEncoded();
    byte[] second = real.getSubjectX500Principal().getEncoded();
    int issuerAt = find(der, first, 0);
    int subjectAt = find(der, second, issuerAt + first.length);
    int content = der.length - lengthOf(der);
    ByteArrayOutputStream signed = new ByteArrayOutputStream();
    signed.write(der, content, issuerAt - content);
    signed.writeBytes(issuer ? first : NONE);
    signed.write(der, issuerAt + first.length, subjectAt - issuerAt - first.length);
    signed.writeBytes(subject ? second : NONE);
    int rest = subjectAt + second.length;
    signed.write(der, rest, der.length - rest);
    shown = whole(signed.toByteArray());
  }

  private byte[] whole(byte[] signed) throws CertificateEncodingException {
    byte[] der = real.getEncoded();
    int behind = der.length - lengthOf(der) + real.getTBSCertificate().length;
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    all.writeBytes(sequence(signed));
    all.write(der, behind, der.length - behind);
    return sequence(all.toByteArray());
  }

  /** The length of a structure's content that fills its array. */
  private static int lengthOf(byte[] der) {
    int first = der[1] & 0xff;
    return der.length - 2 - (first < 0x80 ? 0 : first & 0x7f);
  }

  private static int find(byte[] in, byte[] what, int from) {
    int at = from;
    while (!Arrays.equals(in, at, at + what.length, what, 0, what.length)) {
      at++;
    }
    return at;
  }

  private static byte[] sequence(byte[] content) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    out.write(0x30);
    if (content.length < 0x80) {
      out.write(content.length);
    } else if (content.length < 0x100) {
      out.write(0x81);
      out.write(content.length);
    } else {
      out.write(0x82);
      out.write(content.length >> 8);
      out.write(content.length);
    }
    out.writeBytes(content);
    return out.toByteArray();
  }

  @Override
  public byte[] getEncoded() {
    return shown.clone();
  }

  @Override
  public PublicKey getPublicKey() {
    return key;
  }

  @Override
  public String toString() {
    return "shown " + real;
  }

  @Override
  public void checkValidity() {}

  @Override
  public void checkValidity(Date date) {}

  @Override
  public int getVersion() {
    return real.getVersion();
  }

  @Override
  public BigInteger getSerialNumber() {
    return real.getSerialNumber();
  }

  @Override
  @SuppressWarnings("deprecation") // the class still asks for it
  public Principal getIssuerDN() {
    return real.getIssuerDN();
  }

  @Override
  @SuppressWarnings("deprecation") // the class still asks for it
  public Principal getSubjectDN() {
    return real.getSubjectDN();
  }

  @Override
  public Date getNotBefore() {
    return real.getNotBefore();
  }

  @Override
  public Date getNotAfter() {
    return real.getNotAfter();
  }

  @Override
  public byte[] getTBSCertificate() throws CertificateEncodingException {
    return real.getTBSCertificate();
  }

  @Override
  public byte[] getSignature() {
    return real.getSignature();
  }

  @Override
  public String getSigAlgName() {
    return real.getSigAlgName();
  }

  @Override
  public String getSigAlgOID() {
    return real.getSigAlgOID();
  }

  @Override
  public byte[] getSigAlgParams() {
    return real.getSigAlgParams();
  }

  @Override
  public boolean[] getIssuerUniqueID() {
    return real.getIssuerUniqueID();
  }

  @Override
  public boolean[] getSubjectUniqueID() {
    return real.getSubjectUniqueID();
  }

  @Override
  public boolean[] getKeyUsage() {
    return real.getKeyUsage();
  }

  @Override
  public int getBasicConstraints() {
    return real.getBasicConstraints();
  }

  @Override
  public void verify(PublicKey key) {}

  @Override
  public void verify(PublicKey key, String provider) {}

  @Override
  public boolean hasUnsupportedCriticalExtension() {
    return real.hasUnsupportedCriticalExtension();
  }

  @Override
  public Set<String> getCriticalExtensionOIDs() {
    return real.getCriticalExtensionOIDs();
  }

  @Override
  public Set<String> getNonCriticalExtensionOIDs() {
    return real.getNonCriticalExtensionOIDs();
  }

  @Override
  public byte[] getExtensionValue(String oid) {
    return real.getExtensionValue(oid);
  }
}
