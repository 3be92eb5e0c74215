/** The specification's own words (section 8): what is shown when the server has none, and what is shown for success. */
export const LOGIN_FAILED = 'Login failed. Please check your credentials.';
export const REGISTRATION_FAILED = 'Registration failed. Please try again.';
export const PASSWORDS_DIFFER = "Passwords don't match";
export const CODE_SENT = 'A reset code has been sent to your email.';
export const CODE_FAILED = 'Failed to send reset code. Please try again.';
export const RESET_DONE = 'Password reset successful. Please sign in with your new password.';
export const RESET_FAILED = 'Failed to reset password. Please check the code and try again.';
