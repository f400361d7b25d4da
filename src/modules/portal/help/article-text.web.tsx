import { List, Text, Title } from '@mantine/core'

interface Block {
  readonly kind: 'heading' | 'text' | 'list' | 'steps'
  readonly lines: readonly string[]
}

const kindOf = (line: string): Block['kind'] =>
  line.startsWith('## ') ? 'heading' : line.startsWith('- ') ? 'list' : /^\d+\. /.test(line) ? 'steps' : 'text'

/** Neighbouring lines of the same kind are one block. */
function blocksOf(text: string): Block[] {
  const blocks: { kind: Block['kind']; lines: string[] }[] = []
  for (const line of text.split('\n').filter(Boolean)) {
    const kind = kindOf(line)
    const words = line.replace(/^(## |- |\d+\. )/, '')
    const last = blocks.at(-1)
    if (last && last.kind === kind && (kind === 'list' || kind === 'steps')) last.lines.push(words)
    else blocks.push({ kind, lines: [words] })
  }
  return blocks
}

export const ArticleText = ({ text }: { text: string }) =>
  blocksOf(text).map(({ kind, lines }) =>
    kind === 'heading' ? (
      <Title order={2} size="h3" key={lines[0]} mt="sm">
        {lines[0]}
      </Title>
    ) : kind === 'text' ? (
      <Text key={lines[0]}>{lines[0]}</Text>
    ) : (
      <List key={lines[0]} type={kind === 'steps' ? 'ordered' : 'unordered'} spacing="xs" pe="md">
        {lines.map((line) => (
          <List.Item key={line}>{line}</List.Item>
        ))}
      </List>
    ),
  )
