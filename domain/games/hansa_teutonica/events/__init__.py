"""What can happen in Hansa Teutonica; each fact writes itself down."""
