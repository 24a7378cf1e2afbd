//! VCF, VCT and proof-number search whose wins come with a proof.
