#include "vectors.h"

static const unsigned char aes[] = {
#embed "../../Vectors/aes.json"
};
static const unsigned char aes_keys[] = {
#embed "../../Vectors/aes-keys.json"
};
static const unsigned char air_time[] = {
#embed "../../Vectors/air-time.json"
};
static const unsigned char answers_to_reset[] = {
#embed "../../Vectors/answers-to-reset.json"
};
static const unsigned char apdus[] = {
#embed "../../Vectors/apdus.json"
};
static const unsigned char application_cryptograms[] = {
#embed "../../Vectors/application-cryptograms.json"
};
static const unsigned char ber_tlv[] = {
#embed "../../Vectors/ber-tlv.json"
};
static const unsigned char bit_fields[] = {
#embed "../../Vectors/bit-fields.json"
};
static const unsigned char ca_key_checksums[] = {
#embed "../../Vectors/ca-key-checksums.json"
};
static const unsigned char card_answers[] = {
#embed "../../Vectors/card-answers.json"
};
static const unsigned char card_exchanges[] = {
#embed "../../Vectors/card-exchanges.json"
};
static const unsigned char card_tests[] = {
#embed "../../Vectors/card-tests.json"
};
static const unsigned char card_verification_values[] = {
#embed "../../Vectors/card-verification-values.json"
};
static const unsigned char countries[] = {
#embed "../../Vectors/countries.json"
};
static const unsigned char currencies[] = {
#embed "../../Vectors/currencies.json"
};
static const unsigned char cvc3[] = {
#embed "../../Vectors/cvc3.json"
};
static const unsigned char cvm_lists[] = {
#embed "../../Vectors/cvm-lists.json"
};
static const unsigned char data_object_lists[] = {
#embed "../../Vectors/data-object-lists.json"
};
static const unsigned char data_storage[] = {
#embed "../../Vectors/data-storage.json"
};
static const unsigned char dynamic_signatures[] = {
#embed "../../Vectors/dynamic-signatures.json"
};
static const unsigned char elliptic_curve_signatures[] = {
#embed "../../Vectors/elliptic-curve-signatures.json"
};
static const unsigned char emv2000_session_keys[] = {
#embed "../../Vectors/emv2000-session-keys.json"
};
static const unsigned char file_control_information[] = {
#embed "../../Vectors/file-control-information.json"
};
static const unsigned char file_locators[] = {
#embed "../../Vectors/file-locators.json"
};
static const unsigned char filled_data_object_lists[] = {
#embed "../../Vectors/filled-data-object-lists.json"
};
static const unsigned char host_authorizations[] = {
#embed "../../Vectors/host-authorizations.json"
};
static const unsigned char host_requests[] = {
#embed "../../Vectors/host-requests.json"
};
static const unsigned char icc_certificates[] = {
#embed "../../Vectors/icc-certificates.json"
};
static const unsigned char issuer_certificates[] = {
#embed "../../Vectors/issuer-certificates.json"
};
static const unsigned char issuer_requests[] = {
#embed "../../Vectors/issuer-requests.json"
};
static const unsigned char issuer_scripts[] = {
#embed "../../Vectors/issuer-scripts.json"
};
static const unsigned char languages[] = {
#embed "../../Vectors/languages.json"
};
static const unsigned char limited_use_keys[] = {
#embed "../../Vectors/limited-use-keys.json"
};
static const unsigned char master_keys[] = {
#embed "../../Vectors/master-keys.json"
};
static const unsigned char object_meanings[] = {
#embed "../../Vectors/object-meanings.json"
};
static const unsigned char paddings[] = {
#embed "../../Vectors/paddings.json"
};
static const unsigned char payment_keys[] = {
#embed "../../Vectors/payment-keys.json"
};
static const unsigned char pin_blocks[] = {
#embed "../../Vectors/pin-blocks.json"
};
static const unsigned char processing_restrictions[] = {
#embed "../../Vectors/processing-restrictions.json"
};
static const unsigned char recorded_card_ca_keys[] = {
#embed "../../Vectors/recorded-card-ca-keys.json"
};
static const unsigned char recorded_taps[] = {
#embed "../../Vectors/recorded-taps.json"
};
static const unsigned char response_cryptograms[] = {
#embed "../../Vectors/response-cryptograms.json"
};
static const unsigned char response_lengths[] = {
#embed "../../Vectors/response-lengths.json"
};
static const unsigned char retail_macs[] = {
#embed "../../Vectors/retail-macs.json"
};
static const unsigned char rsa_key_pairs[] = {
#embed "../../Vectors/rsa-key-pairs.json"
};
static const unsigned char rsa_private_keys[] = {
#embed "../../Vectors/rsa-private-keys.json"
};
static const unsigned char rsa_recoveries[] = {
#embed "../../Vectors/rsa-recoveries.json"
};
static const unsigned char scheme_cryptograms[] = {
#embed "../../Vectors/scheme-cryptograms.json"
};
static const unsigned char secure_channel[] = {
#embed "../../Vectors/secure-channel.json"
};
static const unsigned char secure_messaging_keys[] = {
#embed "../../Vectors/secure-messaging-keys.json"
};
static const unsigned char session_keys[] = {
#embed "../../Vectors/session-keys.json"
};
static const unsigned char signed_dynamic_data[] = {
#embed "../../Vectors/signed-dynamic-data.json"
};
static const unsigned char signed_static_data[] = {
#embed "../../Vectors/signed-static-data.json"
};
static const unsigned char terminal_risk[] = {
#embed "../../Vectors/terminal-risk.json"
};
static const unsigned char tracks[] = {
#embed "../../Vectors/tracks.json"
};

#define FILE(name, bytes) {name, bytes, sizeof bytes}

static const struct vector_file files[] = {
    FILE("aes.json", aes),
    FILE("aes-keys.json", aes_keys),
    FILE("air-time.json", air_time),
    FILE("answers-to-reset.json", answers_to_reset),
    FILE("apdus.json", apdus),
    FILE("application-cryptograms.json", application_cryptograms),
    FILE("ber-tlv.json", ber_tlv),
    FILE("bit-fields.json", bit_fields),
    FILE("ca-key-checksums.json", ca_key_checksums),
    FILE("card-answers.json", card_answers),
    FILE("card-exchanges.json", card_exchanges),
    FILE("card-tests.json", card_tests),
    FILE("card-verification-values.json", card_verification_values),
    FILE("countries.json", countries),
    FILE("currencies.json", currencies),
    FILE("cvc3.json", cvc3),
    FILE("cvm-lists.json", cvm_lists),
    FILE("data-object-lists.json", data_object_lists),
    FILE("data-storage.json", data_storage),
    FILE("dynamic-signatures.json", dynamic_signatures),
    FILE("elliptic-curve-signatures.json", elliptic_curve_signatures),
    FILE("emv2000-session-keys.json", emv2000_session_keys),
    FILE("file-control-information.json", file_control_information),
    FILE("file-locators.json", file_locators),
    FILE("filled-data-object-lists.json", filled_data_object_lists),
    FILE("host-authorizations.json", host_authorizations),
    FILE("host-requests.json", host_requests),
    FILE("icc-certificates.json", icc_certificates),
    FILE("issuer-certificates.json", issuer_certificates),
    FILE("issuer-requests.json", issuer_requests),
    FILE("issuer-scripts.json", issuer_scripts),
    FILE("languages.json", languages),
    FILE("limited-use-keys.json", limited_use_keys),
    FILE("master-keys.json", master_keys),
    FILE("object-meanings.json", object_meanings),
    FILE("paddings.json", paddings),
    FILE("payment-keys.json", payment_keys),
    FILE("pin-blocks.json", pin_blocks),
    FILE("processing-restrictions.json", processing_restrictions),
    FILE("recorded-card-ca-keys.json", recorded_card_ca_keys),
    FILE("recorded-taps.json", recorded_taps),
    FILE("response-cryptograms.json", response_cryptograms),
    FILE("response-lengths.json", response_lengths),
    FILE("retail-macs.json", retail_macs),
    FILE("rsa-key-pairs.json", rsa_key_pairs),
    FILE("rsa-private-keys.json", rsa_private_keys),
    FILE("rsa-recoveries.json", rsa_recoveries),
    FILE("scheme-cryptograms.json", scheme_cryptograms),
    FILE("secure-channel.json", secure_channel),
    FILE("secure-messaging-keys.json", secure_messaging_keys),
    FILE("session-keys.json", session_keys),
    FILE("signed-dynamic-data.json", signed_dynamic_data),
    FILE("signed-static-data.json", signed_static_data),
    FILE("terminal-risk.json", terminal_risk),
    FILE("tracks.json", tracks),
};

const size_t vector_file_count = sizeof files / sizeof *files;

const struct vector_file *vector_file_at(size_t index) { return &files[index]; }
