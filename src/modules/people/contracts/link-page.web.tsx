import { Button, Text } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { useParams } from 'react-router'
import { formatIsoAsUkDate, formatIsoAsUkDateTime } from '#web/dates/uk-dates.ts'
import { PublicLinkPage } from '#web/shell/pages/link-page.tsx'
import { type LinkedContract, UNSIGNED_STATES } from './contract.ts'
import { ContractSheet, SignContract } from './sign-form.web.tsx'

/** Public page on which an employee without an account reads and signs their contract. */
export default function LinkedContractPage() {
  const { token = '' } = useParams()
  const at = `/api/employees/linked_contracts/${token}`
  return (
    <PublicLinkPage<LinkedContract>
      at={at}
      title="Your contract"
      titleOf={({ contract }) => contract?.title}
      closedTitle="This link is closed"
      narrow
    >
      {({ contract, company }) => contract && <Contract key={token} {...{ at, contract, company }} />}
    </PublicLinkPage>
  )
}

interface Props {
  readonly at: string
  readonly company: string
  readonly contract: NonNullable<LinkedContract['contract']>
}

function Contract({ at, company, contract }: Props) {
  const queries = useQueryClient()
  const { number, employeeName, digest, signUntil, state, signedAt } = contract
  const isUnsigned = UNSIGNED_STATES.some((one) => one === state)
  const done = (answer?: unknown) =>
    answer ? queries.setQueryData([at], answer) : void queries.invalidateQueries({ queryKey: [at] })
  return (
    <>
      {isUnsigned ? (
        <Text>{`Contract ${number} between ${company} and ${employeeName}. Read it to the end, and sign it by ${formatIsoAsUkDate(signUntil)}.`}</Text>
      ) : (
        <Text role="status" fw={650}>
          {state === 'complete'
            ? `Contract ${number} is signed by both sides.`
            : `Thank you. You signed contract ${number} on ${formatIsoAsUkDateTime(signedAt)}. ${company} countersigns it, and you get an e-mail then.`}
        </Text>
      )}
      {state === 'complete' && (
        <Button component="a" href={`${at}/contract.pdf`} download leftSection={<IconDownload size={18} aria-hidden />}>
          Download PDF
        </Button>
      )}
      <ContractSheet contract={contract} />
      {isUnsigned && (
        <SignContract
          at={at}
          digest={digest}
          name={employeeName}
          step="sign"
          statement={`By signing, you agree to contract ${number} with ${company} as shown above.`}
          onDone={done}
        />
      )}
    </>
  )
}
