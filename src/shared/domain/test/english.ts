/** English sentences that the specification prescribes for screens, each with the id of its requirement. */
export const SPECIFIED_ENGLISH_TEXTS: Readonly<Record<string, string>> = {
  'Login failed. Please check your credentials.': 'AUTH-05',
  'Registration failed. Please try again.': 'AUTH-05',
  'Failed to send reset code. Please try again.': 'AUTH-05',
  'Failed to reset password. Please check the code and try again.': 'AUTH-05',
  'A reset code has been sent to your email.': 'AUTH-06',
  'Password reset successful. Please sign in with your new password.': 'AUTH-06',
  "Passwords don't match": 'AUTH-04',
  'You are here': 'MAP-03',
  'Loading...': 'APP-01',
  'Loading machine data...': 'MDET-01',
  'No Image Was Found': 'MEDIT-08',
  'Unexpected Application Error!': 'APP-04',
};

/** English words that no Dutch text of the portal contains; 'is', 'of', 'was' and 'in' are not listed, because they are Dutch words too. */
const ENGLISH =
  /(?<![\p{L}'"`/.-])(?:the|this|that|please|your|you|has|have|been|with|cannot|failed|must|and|for|from|are|not|no|invalid|expected|received|successful|unknown|missing|should|already|only|too|there|to|does|exist|found|required)(?![\p{L}'"`/=.-])/iu;

/** Returns whether a text for users is English although the specification does not prescribe it. */
export const isStrayEnglish = (text: string): boolean =>
  !Object.hasOwn(SPECIFIED_ENGLISH_TEXTS, text) && ENGLISH.test(text);
