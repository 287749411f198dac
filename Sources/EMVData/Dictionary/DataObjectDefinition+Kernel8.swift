#if !hasFeature(Embedded)

extension DataObjectDefinition {
    /// Kernel 8: card, reader and working objects of the EMVCo kernel (EMV Book C-8).
    static let kernel8 = table(
        of: .kernel8,
        """
        9E     | b    | 64,132 | terminal | C-8, A.1 | Kernel Key Data
        9F2B   | b    | 8      | terminal | C-8, A.1 | Kernel Qualifier
        9F2C   | b    | 7      | card     | C-8, A.1 | Card Qualifier
        DA     | b    | var.   | card     | C-8, A.1 | Encrypted Record
        9F8102 | b    | 1      | card     | C-8, A.1 | Cardholder Verification Decision
        9F8103 | b    | 64,132 | card     | C-8, A.1 | Card Key Data
        9F8104 | b    | 5      | card     | C-8, A.1 | Card TVR
        9F8105 | b    | 8      | card     | C-8, A.1 | EDA-MAC
        9F8106 | b    | <=128  | card     | C-8, A.1 | Authenticated Application Data
        9F8107 | b    | 1      | card     | C-8, A.1 | IAD MAC Offset
        9F8108 | b    | 2-5    | card     | C-8, A.1 | Restart Indicator
        9F8109 | b    | 8      | terminal | C-8, A.1 | IAD-MAC
        9F810A | b    | var.   | card     | C-8, A.1 | Extended SDA Tag List
        9F810B | b    | 32,66  | card     | C-8, A.1 | ICC ECC Public Key (for ICC RSA Certificate)
        9F810C | b    | 2      | terminal | C-8, A.1 | RR Time Excess
        9F810D | b    | 2      | card     | C-8, A.1 | Card Capabilities Information
        9F8111 | b    | <=243  | card     | C-8, A.1 | Data Envelope 1
        9F8112 | b    | <=243  | card     | C-8, A.1 | Data Envelope 2
        9F8113 | b    | <=243  | card     | C-8, A.1 | Data Envelope 3
        9F8114 | b    | <=243  | card     | C-8, A.1 | Data Envelope 4
        9F8115 | b    | <=243  | card     | C-8, A.1 | Data Envelope 5
        9F8116 | b    | <=243  | card     | C-8, A.1 | Data Envelope 6
        9F8117 | b    | <=243  | card     | C-8, A.1 | Data Envelope 7
        9F8118 | b    | <=243  | card     | C-8, A.1 | Data Envelope 8
        9F8119 | b    | <=243  | card     | C-8, A.1 | Data Envelope 9
        9F811A | b    | <=243  | card     | C-8, A.1 | Data Envelope 10
        9F8201 | b    | var.   | terminal | C-8, A.1 | Data Needed
        9F8202 | b    | 1      | terminal | C-8, A.1 | Proceed To First Write Flag
        9F8203 | b    | var.   | terminal | C-8, A.1 | Tags To Read
        9F8204 | b    | 6      | terminal | C-8, A.1 | Error Indication
        9F8205 | b    | 13     | terminal | C-8, A.1 | User Interface Request Data 1
        9F8206 | b    | 1      | terminal | C-8, A.1 | Card Data Input Capability
        9F8207 | b    | 1      | terminal | C-8, A.1 | CVM Capability - CVM Required
        9F8208 | b    | 1      | terminal | C-8, A.1 | CVM Capability - No CVM Required
        9F8209 | b    | 2      | terminal | C-8, A.1 | Kernel Configuration
        9F820A | b    | 1      | terminal | C-8, A.1 | Security Capability
        9F820B | b    | 5      | terminal | C-8, A.1 | Terminal Action Code - Denial
        9F820C | b    | 5      | terminal | C-8, A.1 | Terminal Action Code - Online
        9F820D | n    | 6      | terminal | C-8, A.1 | Reader Contactless Floor Limit
        9F820E | n    | 6      | terminal | C-8, A.1 | Reader CVM Required Limit
        9F820F | b    | 2      | terminal | C-8, A.1 | Time Out Value
        9F8210 | b    | 8      | terminal | C-8, A.1 | Outcome Parameter Set
        9F8211 | n    | 3      | terminal | C-8, A.1 | Message Hold Time
        9F8212 | b    | 1      | terminal | C-8, A.1 | Hold Time Value
        9F8213 | b    | 2      | terminal | C-8, A.1 | Minimum Relay Resistance Grace Period
        9F8214 | b    | 2      | terminal | C-8, A.1 | Maximum Relay Resistance Grace Period
        9F8215 | b    | 2      | terminal | C-8, A.1 | Terminal Expected Transmission Time For Relay Resistance C-APDU
        9F8216 | b    | 2      | terminal | C-8, A.1 | Terminal Expected Transmission Time For Relay Resistance R-APDU
        9F8217 | b    | 2      | terminal | C-8, A.1 | Relay Resistance Accuracy Threshold
        9F8218 | b    | 2      | terminal | C-8, A.1 | Relay Resistance Transmission Time Mismatch Threshold
        9F8219 | b    | 13     | terminal | C-8, A.1 | User Interface Request Data 2
        9F821A | b    | 5      | terminal | C-8, A.1 | Reserved TVR Mask
        9F821B | b    | 1      | terminal | C-8, A.1 | Write Data Status
        9F821C | b    | 1      | terminal | C-8, A.1 | Read Data Status
        9F821D | b    | <=32   | terminal | C-8, A.1 | Message Identifiers On Restart
        9F821E | b    | 1      | terminal | C-8, A.1 | Default IAD MAC Offset
        9F821F | b    | var.   | terminal | C-8, A.1 | Discretionary Data Tag List
        9F8220 | b    | <=250  | terminal | C-8, A.1 | Default CDOL1
        9F8221 | b    | var.   | terminal | C-8, A.1 | Tag Mapping List
        BF8101 | var. | var.   | terminal | C-8, A.1 | Data To Send
        BF8102 | var. | var.   | terminal | C-8, A.1 | Data Record
        BF8103 | var. | var.   | terminal | C-8, A.1 | Discretionary Data
        BF8104 | var. | var.   | terminal | C-8, A.1 | Data Envelopes To Write
        """
    )
}

#endif
