/** Who says what a company's people are told of, unless they say otherwise. */
export const ALERT_KEEPERS = ['ROLE_CLIENT_ADMIN', 'ROLE_USER_ADMIN'] as const
