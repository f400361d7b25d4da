import { Anchor, Button, Stack, Text } from '@mantine/core'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import {
  finishSignIn,
  type SecondFactorChallenge,
  type SecondFactorSetupResult,
  secondFactorEndpointForTicket,
} from '#web/api/second-factor.ts'
import type { SignInResult } from '#web/api/signing.ts'
import { IdentityProofForm } from '#web/shell/session/proof-form.tsx'
import { PageTitle } from '#web/ui/page-title.tsx'
import { describeDevice } from '../device-words.ts'
import { RecoveryCodes } from '../second-factor/recovery-codes.web.tsx'
import { AuthenticatorAppSetup } from '../second-factor/set-up-app.web.tsx'
import { PasskeySetup } from '../second-factor/set-up-passkey.web.tsx'

interface Props {
  readonly step: SecondFactorChallenge
  readonly onSigned: (signed: SignInResult) => Promise<void>
  readonly onBack: () => void
}

/** Second step of a sign-in: asks for the second factor, or sets one up if the user has none. */
export default function SecondStep({ step, onSigned, onBack }: Props) {
  const back = (
    <Anchor component="button" type="button" size="sm" onClick={onBack} w="fit-content">
      Back to username and password
    </Anchor>
  )
  return (
    <Stack>
      {step.kind === 'prove' ? (
        <>
          <PageTitle>Two-step verification</PageTitle>
          <IdentityProofForm
            methods={step.methods}
            passkeyOptions="/api/security/login/second_factor/passkey_options"
            ticket={step.ticket}
            action="Sign in"
            onProof={async (proof) => onSigned(await finishSignIn(secondFactorEndpointForTicket(step.ticket), proof))}
          />
          <Text size="sm" c="dimmed">
            Lost your phone, your passkey and your recovery codes? Ask your administrator or the operator of the portal
            to reset your second factor.
          </Text>
          {back}
        </>
      ) : (
        <SetUpFirst ticket={step.ticket} onSigned={onSigned} back={back} />
      )}
    </Stack>
  )
}

interface SetUpProps {
  readonly ticket: string
  readonly onSigned: Props['onSigned']
  /** Link back to the first step. */
  readonly back: ReactNode
}

/** Heading of a step. Receives the focus, because the button that had the focus has disappeared. */
function StepTitle({ children }: { readonly children: string }) {
  const frame = useRef<HTMLDivElement>(null)
  useEffect(() => frame.current?.querySelector('h1')?.focus(), [])
  return (
    <div ref={frame}>
      <PageTitle>{children}</PageTitle>
    </div>
  )
}

/** Set-up of a second factor at the first sign-in, if one is compulsory. */
function SetUpFirst({ ticket, onSigned, back }: SetUpProps) {
  const [chosen, setChosen] = useState<'app' | 'passkey'>()
  const [done, setDone] = useState<SecondFactorSetupResult>()
  const way = secondFactorEndpointForTicket(ticket)
  const leave = (
    <Button variant="default" onClick={() => setChosen(undefined)}>
      Choose another method
    </Button>
  )
  if (done?.user) {
    const signed = done as SignInResult
    return (
      <>
        <StepTitle key="codes">Save your recovery codes</StepTitle>
        <RecoveryCodes codes={done.recoveryCodes} username={signed.user.username} onDone={() => onSigned(signed)} />
      </>
    )
  }
  return (
    <>
      <StepTitle key={chosen ?? 'choose'}>Set up a second factor</StepTitle>
      {chosen === 'app' ? (
        <AuthenticatorAppSetup way={way} leave={leave} onDone={setDone} />
      ) : chosen === 'passkey' ? (
        <PasskeySetup way={way} device={describeDevice(navigator.userAgent)} leave={leave} onDone={setDone} />
      ) : (
        <>
          <Text>
            Your sign-in requires more than a password, because passwords can be guessed or stolen. You only have to set
            this up once; it takes two minutes.
          </Text>
          <Button variant="default" size="md" onClick={() => setChosen('app')}>
            Authenticator app on my phone
          </Button>
          <Button variant="default" size="md" onClick={() => setChosen('passkey')}>
            Passkey or security key
          </Button>
          <Text size="sm" c="dimmed">
            A passkey is your fingerprint, face, screen lock or a security key. It works only on the real portal, never
            on a fake page.
          </Text>
        </>
      )}
      {back}
    </>
  )
}
