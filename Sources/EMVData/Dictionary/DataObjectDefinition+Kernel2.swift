#if !hasFeature(Embedded)

extension DataObjectDefinition {
    /// Kernel 2: card, reader and working objects of Mastercard contactless (EMV Book C-2).
    static let kernel2 = table(
        of: .kernel2,
        """
        9F50   | n    | 6      | card     | C-2, A.1 | Offline Accumulator Balance
        9F51   | b    | <=250  | card     | C-2, A.1 | DRDOL
        9F53   | an   | 1      | terminal | C-2, A.1 | Transaction Category Code
        9F54   | b    | <=160  | card     | C-2, A.1 | DS ODS Card
        9F5B   | b    | <=250  | card     | C-2, A.1 | DSDOL
        9F5C   | b    | 8      | terminal | C-2, A.1 | DS Requested Operator ID
        9F5D   | b    | 3      | card     | C-2, A.1 | Application Capabilities Information
        9F5E   | n    | 8-11   | card     | C-2, A.1 | DS ID
        9F5F   | b    | 1      | card     | C-2, A.1 | DS Slot Availability
        9F60   | b    | 2      | card     | C-2, A.1 | CVC3 (Track1)
        9F61   | b    | 2      | card     | C-2, A.1 | CVC3 (Track2)
        9F62   | b    | 6      | card     | C-2, A.1 | PCVC3 (Track1)
        9F63   | b    | 6      | card     | C-2, A.1 | PUNATC (Track1)
        9F64   | b    | 1      | card     | C-2, A.1 | NATC (Track1)
        9F65   | b    | 2      | card     | C-2, A.1 | PCVC3 (Track2)
        9F66   | b    | 2      | card     | C-2, A.1 | PUNATC (Track2)
        9F67   | b    | 1      | card     | C-2, A.1 | NATC (Track2)
        9F68   | b    | 10-252 | card     | C-2, A.1 | Mag-stripe CVM List
        9F69   | b    | <=250  | card     | C-2, A.1 | UDOL
        9F6A   | n    | 4      | terminal | C-2, A.1 | Unpredictable Number (Numeric)
        9F6B   | b    | <=19   | card     | C-2, A.1 | Track 2 Data
        9F6D   | b    | 2      | terminal | C-2, A.1 | Mag-stripe Application Version Number (Reader)
        9F6E   | b    | 5-32   | card     | C-2, A.1 | Third Party Data
        9F6F   | b    | 1      | card     | C-2, A.1 | DS Slot Management Control
        9F70   | b    | <=192  | card     | C-2, A.1 | Protected Data Envelope 1
        9F71   | b    | <=192  | card     | C-2, A.1 | Protected Data Envelope 2
        9F72   | b    | <=192  | card     | C-2, A.1 | Protected Data Envelope 3
        9F73   | b    | <=192  | card     | C-2, A.1 | Protected Data Envelope 4
        9F74   | b    | <=192  | card     | C-2, A.1 | Protected Data Envelope 5
        9F75   | b    | <=192  | card     | C-2, A.1 | Unprotected Data Envelope 1
        9F76   | b    | <=192  | card     | C-2, A.1 | Unprotected Data Envelope 2
        9F77   | b    | <=192  | card     | C-2, A.1 | Unprotected Data Envelope 3
        9F78   | b    | <=192  | card     | C-2, A.1 | Unprotected Data Envelope 4
        9F79   | b    | <=192  | card     | C-2, A.1 | Unprotected Data Envelope 5
        9F7C   | b    | 20     | terminal | C-2, A.1 | Merchant Custom Data
        9F7D   | b    | 8,16   | card     | C-2, A.1 | DS Summary 1
        9F7E   | b    | 1      | terminal | C-2, A.1 | Mobile Support Indicator
        9F7F   | b    | 4      | card     | C-2, A.1 | DS Unpredictable Number
        DF4B   | b    | 3      | card     | C-2, A.1 | POS Cardholder Interaction Information
        DF60   | b    | 8      | card     | C-2, A.1 | DS Input (Card)
        DF61   | b    | 8      | terminal | C-2, A.1 | DS Digest H
        DF62   | b    | 1      | card     | C-2, A.1 | DS ODS Info
        DF63   | b    | <=160  | terminal | C-2, A.1 | DS ODS Term
        DF8101 | b    | 8,16   | card     | C-2, A.1 | DS Summary 2
        DF8102 | b    | 8,16   | card     | C-2, A.1 | DS Summary 3
        DF8104 | n    | 6      | terminal | C-2, A.1 | Balance Read Before Gen AC
        DF8105 | n    | 6      | terminal | C-2, A.1 | Balance Read After Gen AC
        DF8106 | b    | var.   | terminal | C-2, A.1 | Data Needed
        DF8107 | b    | var.   | terminal | C-2, A.1 | CDOL1 Related Data
        DF8108 | b    | 1      | terminal | C-2, A.1 | DS AC Type
        DF8109 | b    | 8      | terminal | C-2, A.1 | DS Input (Term)
        DF810A | b    | 1      | terminal | C-2, A.1 | DS ODS Info For Reader
        DF810B | b    | 1      | terminal | C-2, A.1 | DS Summary Status
        DF810C | b    | 1      | terminal | C-2, A.1 | Kernel ID
        DF810D | b    | var.   | terminal | C-2, A.1 | DSVN Term
        DF810E | b    | 1      | terminal | C-2, A.1 | Post-Gen AC Put Data Status
        DF810F | b    | 1      | terminal | C-2, A.1 | Pre-Gen AC Put Data Status
        DF8110 | b    | 1      | terminal | C-2, A.1 | Proceed To First Write Flag
        DF8111 | b    | var.   | terminal | C-2, A.1 | PDOL Related Data
        DF8112 | b    | var.   | terminal | C-2, A.1 | Tags To Read
        DF8113 | b    | var.   | terminal | C-2, A.1 | DRDOL Related Data
        DF8114 | b    | 1      | terminal | C-2, A.1 | Reference Control Parameter
        DF8115 | b    | 6      | terminal | C-2, A.1 | Error Indication
        DF8116 | b    | 22     | terminal | C-2, A.1 | User Interface Request Data
        DF8117 | b    | 1      | terminal | C-2, A.1 | Card Data Input Capability
        DF8118 | b    | 1      | terminal | C-2, A.1 | CVM Capability - CVM Required
        DF8119 | b    | 1      | terminal | C-2, A.1 | CVM Capability - No CVM Required
        DF811A | b    | 3      | terminal | C-2, A.1 | Default UDOL
        DF811B | b    | 1      | terminal | C-2, A.1 | Kernel Configuration
        DF811C | b    | 2      | terminal | C-2, A.1 | Max Lifetime of Torn Transaction Log Record
        DF811D | b    | 1      | terminal | C-2, A.1 | Max Number of Torn Transaction Log Records
        DF811E | b    | 1      | terminal | C-2, A.1 | Mag-stripe CVM Capability - CVM Required
        DF811F | b    | 1      | terminal | C-2, A.1 | Security Capability
        DF8120 | b    | 5      | terminal | C-2, A.1 | Terminal Action Code - Default
        DF8121 | b    | 5      | terminal | C-2, A.1 | Terminal Action Code - Denial
        DF8122 | b    | 5      | terminal | C-2, A.1 | Terminal Action Code - Online
        DF8123 | n    | 6      | terminal | C-2, A.1 | Reader Contactless Floor Limit
        DF8124 | n    | 6      | terminal | C-2, A.1 | Reader Contactless Transaction Limit (No On-device CVM)
        DF8125 | n    | 6      | terminal | C-2, A.1 | Reader Contactless Transaction Limit (On-device CVM)
        DF8126 | n    | 6      | terminal | C-2, A.1 | Reader CVM Required Limit
        DF8127 | b    | 2      | terminal | C-2, A.1 | Time Out Value
        DF8128 | b    | 1      | terminal | C-2, A.1 | IDS Status
        DF8129 | b    | 8      | terminal | C-2, A.1 | Outcome Parameter Set
        DF812A | ans  | <=56   | terminal | C-2, A.1 | DD Card (Track1)
        DF812B | cn   | <=11   | terminal | C-2, A.1 | DD Card (Track2)
        DF812C | b    | 1      | terminal | C-2, A.1 | Mag-stripe CVM Capability - No CVM Required
        DF812D | n    | 3      | terminal | C-2, A.1 | Message Hold Time
        DF8130 | b    | 1      | terminal | C-2, A.1 | Hold Time Value
        DF8131 | b    | var.   | terminal | C-2, A.1 | Phone Message Table
        DF8132 | b    | 2      | terminal | C-2, A.1 | Minimum Relay Resistance Grace Period
        DF8133 | b    | 2      | terminal | C-2, A.1 | Maximum Relay Resistance Grace Period
        DF8134 | b    | 2      | terminal | C-2, A.1 | Terminal Expected Transmission Time For Relay Resistance C-APDU
        DF8135 | b    | 2      | terminal | C-2, A.1 | Terminal Expected Transmission Time For Relay Resistance R-APDU
        DF8136 | b    | 2      | terminal | C-2, A.1 | Relay Resistance Accuracy Threshold
        DF8137 | b    | 1      | terminal | C-2, A.1 | Relay Resistance Transmission Time Mismatch Threshold
        DF8301 | b    | 4      | terminal | C-2, A.1 | Terminal Relay Resistance Entropy
        DF8302 | b    | 4      | card     | C-2, A.1 | Device Relay Resistance Entropy
        DF8303 | b    | 2      | card     | C-2, A.1 | Min Time For Processing Relay Resistance APDU
        DF8304 | b    | 2      | card     | C-2, A.1 | Max Time For Processing Relay Resistance APDU
        DF8305 | b    | 2      | card     | C-2, A.1 | Device Estimated Transmission Time For Relay Resistance R-APDU
        DF8306 | b    | 2      | terminal | C-2, A.1 | Measured Relay Resistance Processing Time
        DF8307 | b    | 1      | terminal | C-2, A.1 | RRP Counter
        FF8101 | var. | var.   | terminal | C-2, A.1 | Torn Record
        FF8102 | var. | var.   | terminal | C-2, A.1 | Tags To Write Before Gen AC
        FF8103 | var. | var.   | terminal | C-2, A.1 | Tags To Write After Gen AC
        FF8104 | var. | var.   | terminal | C-2, A.1 | Data To Send
        FF8105 | var. | var.   | terminal | C-2, A.1 | Data Record
        FF8106 | var. | var.   | terminal | C-2, A.1 | Discretionary Data
        """
    )
}

#endif
