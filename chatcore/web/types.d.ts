/**
 * Types that many modules name. Things of the server have the fields that its answers have; here are those
 * that are used often.
 */

type Chat = import("./model/chat.js").Chat;
type MessageList = import("./model/messages.js").MessageList;
type PageActions = import("./view/page_actions.js").PageActions;
type Narrow = import("./model/narrow.js").Narrow;
type TextName = keyof typeof import("./text/texts.js").default;

/** What components get. Templates do not check it, but what the components do with it is checked. */
type Props = {
  chat: Chat;
  act: PageActions;
  list: MessageList;
  message: Message;
  narrow: Narrow;
  place: Place;
  close: () => void;
  [name: string]: any;
};
/** Those of a page; `parts` are the parts of the address after its name. */
type PageProps = { chat: Chat; parts: string[]; act: PageActions };

/** A part of a narrow, which a message has to fulfil. */
type Term = { operator: string; operand: string | number | number[]; negated?: boolean };

/**
 * How requests are repeated: `isFinal` says after which errors not; `failed` gets the others, with their
 * number; `signal` and `longest` (in ms) end a pause.
 */
type Retry = {
  isFinal?: (error: any) => boolean;
  failed?: (error: any, count: number) => void;
  signal?: AbortSignal;
  longest?: number;
};

/** Where a message goes: a channel and a topic, or people. */
type Place = { channelId?: number; topic?: string; people?: number[] };

/** The value of a permission: a group, or people and groups. */
type Holders = number | { direct_members: number[]; direct_subgroups: number[] };

type Message = {
  id: number;
  stream_id?: number;
  subject: string;
  sender_id: number;
  content: string;
  timestamp: number;
  reactions: any[];
  submessages: any[];
  flags: Set<string>;
  [field: string]: any;
};
type Person = {
  user_id: number;
  full_name: string;
  avatar_url: string | null;
  role: number;
  [field: string]: any;
};
type Channel = {
  stream_id: number;
  name: string;
  is_muted: boolean;
  is_archived: boolean;
  [field: string]: any;
};
type Group = {
  id: number;
  name: string;
  members: number[];
  direct_subgroup_ids: number[];
  [field: string]: any;
};
type Draft = {
  id: number;
  type: "" | "stream" | "private";
  to: number[];
  topic: string;
  content: string;
  timestamp: number;
};
