//! Elementary functions that give the same bits on every machine, because tests are decided and
//! parameters moved by what comes out of them.

pub(crate) fn ln(x: f64) -> f64 {
    libm::log(x)
}

pub(crate) fn ln_1p(x: f64) -> f64 {
    libm::log1p(x)
}

pub(crate) fn log10(x: f64) -> f64 {
    libm::log10(x)
}

pub(crate) fn exp(x: f64) -> f64 {
    libm::exp(x)
}

pub(crate) fn pow(x: f64, y: f64) -> f64 {
    libm::pow(x, y)
}

pub(crate) fn pow10(x: f64) -> f64 {
    libm::pow(10.0, x)
}

pub(crate) fn square(x: f64) -> f64 {
    x * x
}
