public import EMVCrypto

/// The RSA keys of our test authorities, issuers and cards, one of each for a scheme.
///
/// They were made beforehand by `tools/make-test-pki` and are public, private parts included: they protect
/// nothing, and no terminal but ours trusts them.
struct TestPKI: Sendable {
    let rid: [UInt8]
    let index: UInt8
    let authority: RSAPrivateNumbers
    let issuer: RSAPrivateNumbers
    let card: RSAPrivateNumbers

    /// The keys of a scheme.
    static subscript(scheme: Scheme) -> TestPKI {
        guard let hierarchy = hierarchies[scheme] else {
            preconditionFailure("Resources/test-pki.json has keys for every scheme")
        }
        return hierarchy
    }

    private static let hierarchies: [Scheme: TestPKI] = {
        do {
            var file = try JSONObject(parsing: PackageResources.test_pki_json)
            var hierarchies: [Scheme: TestPKI] = [:]
            for element in try file.elements("hierarchies") {
                var object = try JSONObject(element.value, path: element.path)
                let scheme = try object.choice("scheme", of: Scheme.self)
                hierarchies[scheme] = try TestPKI(&object)
            }
            try file.finish()
            return hierarchies
        } catch {
            preconditionFailure("Resources/test-pki.json: \(error)")
        }
    }()

    private init(_ object: inout JSONObject) throws(ProfilesError) {
        rid = try object.hex("rid", 5...5)
        index = try object.hex("index", 1...1)[0]
        authority = try RSAPrivateNumbers(object.object("authority"))
        issuer = try RSAPrivateNumbers(object.object("issuer"))
        card = try RSAPrivateNumbers(object.object("card"))
        try object.finish()
    }
}

extension RSAPrivateNumbers {
    fileprivate init(_ json: consuming JSONObject) throws(ProfilesError) {
        var object = json
        self.init(
            modulus: try object.hex("modulus", 64...248),
            publicExponent: try object.hex("publicExponent", 1...3),
            privateExponent: try object.hex("privateExponent", 1...248),
            prime1: try object.hex("prime1", 1...248),
            prime2: try object.hex("prime2", 1...248),
            exponent1: try object.hex("exponent1", 1...248),
            exponent2: try object.hex("exponent2", 1...248),
            coefficient: try object.hex("coefficient", 1...248)
        )
        try object.finish()
    }
}

extension CAPublicKey {
    /// The public keys of our test authorities, which sign the cards this room personalises.
    public static let testKeys: [CAPublicKey] = Scheme.allCases.map { scheme in
        let keys = TestPKI[scheme]
        do {
            let key = try CAPublicKey(
                rid: keys.rid,
                index: keys.index,
                modulus: keys.authority.modulus,
                exponent: keys.authority.publicExponent
            )
            return try CAPublicKey(
                rid: keys.rid,
                index: keys.index,
                modulus: keys.authority.modulus,
                exponent: keys.authority.publicExponent,
                checksum: key.computedChecksum
            )
        } catch {
            preconditionFailure("Resources/test-pki.json: \(error)")
        }
    }
}
