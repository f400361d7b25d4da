import { Button, Loader, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { call } from '../../api/client.ts'
import { proof } from '../../api/proof.ts'
import { type Method, proveAgain } from '../../api/second-factor.ts'
import { session } from '../../api/session.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { sentence } from '../../ui/toast.ts'
import { ProofForm } from './proof-form.tsx'

const URL = '/api/security/second_factor'

/** Dialog to confirm one's identity before a protected action, which then continues automatically. */
export default function ProveAgain() {
  const mine = useQuery({
    queryKey: [URL],
    queryFn: ({ signal }) => call<{ methods: readonly Method[] }>('GET', URL, undefined, { signal }),
  })
  const cancel = () => proof.settle(false)
  const leave = (
    <Button variant="default" size="md" onClick={cancel}>
      Cancel
    </Button>
  )
  return (
    <Dialog opened above onClose={cancel} title="Confirm it is you" size="md">
      <Stack>
        <Text>
          This action is protected. Please confirm that it is you to continue. You will be asked again after ten
          minutes.
        </Text>
        {mine.error ? (
          <Text role="alert">{sentence(mine.error)}</Text>
        ) : mine.data ? (
          <ProofForm
            methods={mine.data.methods}
            passkeyOptions="/api/security/proof/passkey_options"
            action="Continue"
            leave={leave}
            onProof={async (given) => {
              session.begin(await proveAgain(given))
              proof.settle(true)
            }}
          />
        ) : (
          <Loader size="sm" />
        )}
      </Stack>
    </Dialog>
  )
}
