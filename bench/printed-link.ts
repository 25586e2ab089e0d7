/** The link by which the first person signs in, from what a starting server prints. */

export async function printedLink(output: NodeJS.ReadableStream): Promise<string> {
  let text = ''
  for await (const chunk of output) {
    text += String(chunk)
    const link = /Sign in: (\S+)/.exec(text)?.[1]
    if (link) return link
  }
  throw new Error(`No link was printed: ${text}`)
}
