//! Gomocup, Yixin-Board and Botzone: both sides of the wire.
