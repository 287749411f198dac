/* What pcscd calls. The device name in reader.conf says which of the two readers a channel is. */
#include "simulated.h"

#include <PCSC/ifdhandler.h>
#include <PCSC/reader.h>
#include <string.h>

enum { LONGEST_LIST = 16 };
enum role { NOBODY, TARGET, COUNTER };

/* pcscd numbers its readers in the upper half of a Lun. */
static enum role roles[LONGEST_LIST];
static uint8_t target_identifier[4];
static UCHAR counter_atr[MAX_ATR_SIZE];
static DWORD counter_atr_count;

static enum role *role_of(DWORD lun) { return &roles[lun >> 16 & (LONGEST_LIST - 1)]; }

RESPONSECODE IFDHCreateChannelByName(DWORD lun, LPSTR device) {
    control_start();
    if (strstr(device, "counter") && !control_is_plugged()) return IFD_NO_SUCH_DEVICE;
    *role_of(lun) = strstr(device, "counter") ? COUNTER : TARGET;
    return IFD_SUCCESS;
}

RESPONSECODE IFDHCreateChannel(DWORD lun, DWORD channel) {
    (void)lun;
    (void)channel;
    return IFD_NO_SUCH_DEVICE;
}

RESPONSECODE IFDHCloseChannel(DWORD lun) {
    if (*role_of(lun) == TARGET) radio_reset();
    *role_of(lun) = NOBODY;
    return IFD_SUCCESS;
}

RESPONSECODE IFDHGetCapabilities(DWORD lun, DWORD tag, PDWORD count, PUCHAR value) {
    if (*count < 1) return IFD_ERROR_INSUFFICIENT_BUFFER;
    switch (tag) {
    case TAG_IFD_ATR:
    case SCARD_ATTR_ATR_STRING:
        if (*role_of(lun) != COUNTER || *count < counter_atr_count) return IFD_ERROR_TAG;
        memcpy(value, counter_atr, counter_atr_count);
        *count = counter_atr_count;
        return IFD_SUCCESS;
    case TAG_IFD_SIMULTANEOUS_ACCESS: value[0] = LONGEST_LIST; break;
    case TAG_IFD_THREAD_SAFE: value[0] = 1; break;
    case TAG_IFD_SLOTS_NUMBER: value[0] = 1; break;
    case TAG_IFD_SLOT_THREAD_SAFE: value[0] = 0; break;
    default: return IFD_ERROR_TAG;
    }
    *count = 1;
    return IFD_SUCCESS;
}

RESPONSECODE IFDHSetCapabilities(DWORD lun, DWORD tag, DWORD count, PUCHAR value) {
    (void)lun;
    (void)tag;
    (void)count;
    (void)value;
    return IFD_NOT_SUPPORTED;
}

RESPONSECODE IFDHSetProtocolParameters(DWORD lun, DWORD protocol, UCHAR flags, UCHAR p1, UCHAR p2, UCHAR p3) {
    (void)lun;
    (void)protocol;
    (void)flags;
    (void)p1;
    (void)p2;
    (void)p3;
    return IFD_SUCCESS;
}

RESPONSECODE IFDHICCPresence(DWORD lun) {
    if (*role_of(lun) != COUNTER) return IFD_ICC_NOT_PRESENT;
    long code = control_enter(CALL_PRESENCE);
    if (code != 0) return code;
    if (!control_is_plugged()) return IFD_NO_SUCH_DEVICE;
    UCHAR atr[MAX_ATR_SIZE];
    struct buffer answer = {atr, 0, sizeof atr};
    return control_card(&answer) || radio_has_card() ? IFD_ICC_PRESENT : IFD_ICC_NOT_PRESENT;
}

RESPONSECODE IFDHPowerICC(DWORD lun, DWORD action, PUCHAR atr, PDWORD count) {
    *count = 0;
    if (*role_of(lun) != COUNTER) return IFD_ERROR_POWER_ACTION;
    long code = control_enter(CALL_POWER);
    if (code != 0) return code;
    radio_drop();
    counter_atr_count = 0;
    if (action == IFD_POWER_DOWN) return IFD_SUCCESS;
    struct buffer answer = {counter_atr, 0, sizeof counter_atr};
    if (!control_card(&answer)) {
        if (!radio_activate(target_identifier)) return IFD_ERROR_POWER_ACTION;
        append(&answer, "\x3B\x80\x80\x01\x01", 5);
    }
    counter_atr_count = answer.count;
    memcpy(atr, counter_atr, answer.count);
    *count = answer.count;
    return IFD_SUCCESS;
}

RESPONSECODE IFDHTransmitToICC(DWORD lun, SCARD_IO_HEADER send, PUCHAR command, DWORD command_count, PUCHAR response,
                               PDWORD response_count, PSCARD_IO_HEADER receive) {
    struct buffer answer = {response, 0, *response_count};
    *response_count = 0;
    if (receive) receive->Protocol = send.Protocol;
    if (*role_of(lun) != COUNTER) return IFD_COMMUNICATION_ERROR;
    long code = control_enter(CALL_TRANSMIT);
    if (code != 0) return code;
    if (!control_is_plugged()) return IFD_NO_SUCH_DEVICE;
    UCHAR atr[MAX_ATR_SIZE];
    struct buffer other = {atr, 0, sizeof atr};
    if (control_card(&other)) {
        control_respond(command, command_count, &answer);
    } else if (command_count == 5 && memcmp(command, "\xFF\xCA\x00\x00\x00", 5) == 0) {
        append(&answer, target_identifier, sizeof target_identifier);
        append(&answer, "\x90\x00", 2);
    } else if (!radio_exchange(command, command_count, &answer)) {
        return IFD_COMMUNICATION_ERROR;
    }
    *response_count = answer.count;
    return IFD_SUCCESS;
}

RESPONSECODE IFDHControl(DWORD lun, DWORD code, PUCHAR command, DWORD command_count, PUCHAR response,
                         DWORD response_room, LPDWORD response_count) {
    struct buffer answer = {response, 0, response_room};
    *response_count = 0;
    if (*role_of(lun) != TARGET || code != SCARD_CTL_CODE(1)) return IFD_ERROR_NOT_SUPPORTED;
    long wished = control_enter(CALL_ESCAPE);
    if (wished != 0) return wished;
    if (!control_permits_escape()) return IFD_COMMUNICATION_ERROR;
    if (!escape_answer(command, command_count, &answer)) return IFD_RESPONSE_TIMEOUT;
    *response_count = answer.count;
    return IFD_SUCCESS;
}
