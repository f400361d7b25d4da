import '@mantine/core/styles/Table.layer.css'
import { Stack, Table, Text, Title } from '@mantine/core'
import { useFacts } from '#web/shell/pages/facts.ts'
import { PageTitle } from '#web/ui/page-title.tsx'

const MADE_WITH = [
  ['React', 'MIT'],
  ['React Router', 'MIT'],
  ['TanStack Query', 'MIT'],
  ['Mantine', 'MIT'],
  ['Tabler Icons', 'MIT'],
  ['Fastify', 'MIT'],
  ['PostgreSQL', 'PostgreSQL licence'],
]

/** Version of the portal and the third-party licences. */
export default function About() {
  const facts = useFacts()
  return (
    <Stack maw="70ch">
      <PageTitle>About this portal</PageTitle>
      <Text>
        {facts
          ? `${facts.provider} runs this portal on Stanchion, version ${facts.version}.`
          : 'This portal runs on Stanchion.'}{' '}
        It keeps sales, safety and people of a business in one place, apart from everybody else’s.
      </Text>
      {facts?.demoNote && <Text>{facts.demoNote}</Text>}
      <Title order={2}>What it keeps on your device</Title>
      <Text>
        A cookie that keeps you signed in, which no script can read; your choices, such as the appearance; and the
        portal’s own files, so that it opens without a connection. No other site’s scripts, fonts or pictures are
        loaded, and nothing is measured.
      </Text>
      <Title order={2}>Notices</Title>
      <Text>It is made with the work of many people, under these licences:</Text>
      <Table aria-label="Notices">
        <Table.Thead>
          <Table.Tr>
            <Table.Th scope="col">Software</Table.Th>
            <Table.Th scope="col">Licence</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {MADE_WITH.map(([name, licence]) => (
            <Table.Tr key={name}>
              <Table.Td>{name}</Table.Td>
              <Table.Td>{licence}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Stack>
  )
}
