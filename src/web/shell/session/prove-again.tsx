import { Button, Loader, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { callApi } from '../../api/client.ts'
import { identityProofPrompt } from '../../api/proof.ts'
import { type IdentityProofMethod, proveIdentity } from '../../api/second-factor.ts'
import { session } from '../../api/session.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { errorSentence } from '../../ui/toast.ts'
import { IdentityProofForm } from './proof-form.tsx'

const URL = '/api/security/second_factor'

/** Dialog to confirm one's identity before a protected action. The action then continues automatically. */
export default function ProveAgainDialog() {
  const mine = useQuery({
    queryKey: [URL],
    queryFn: ({ signal }) => callApi<{ methods: readonly IdentityProofMethod[] }>('GET', URL, undefined, { signal }),
  })
  const cancel = () => identityProofPrompt.settle(false)
  const leave = (
    <Button variant="default" size="md" onClick={cancel}>
      Cancel
    </Button>
  )
  return (
    <Dialog opened above onClose={cancel} title="Confirm it is you" size="md">
      <Stack>
        <Text>
          This action is protected. To continue, please confirm that it is you. You will be asked again after ten
          minutes.
        </Text>
        {mine.error ? (
          <Text role="alert">{errorSentence(mine.error)}</Text>
        ) : mine.data ? (
          <IdentityProofForm
            methods={mine.data.methods}
            passkeyOptions="/api/security/proof/passkey_options"
            action="Continue"
            leave={leave}
            onProof={async (given) => {
              session.begin(await proveIdentity(given))
              identityProofPrompt.settle(true)
            }}
          />
        ) : (
          <Loader size="sm" />
        )}
      </Stack>
    </Dialog>
  )
}
