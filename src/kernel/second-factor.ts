/** Method that proves a user's identity in addition to the password. */
export type SecondFactorMethod = 'totp' | 'passkey' | 'recovery'

export interface SecondFactors {
  readonly app: { readonly createdAt: string; readonly usedAt: string | null } | null
  readonly passkeys: readonly {
    readonly id: number
    readonly name: string
    readonly createdAt: string
    readonly usedAt: string | null
  }[]
  readonly recoveryCodes: number
}
